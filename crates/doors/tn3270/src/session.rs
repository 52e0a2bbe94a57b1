//! One connection: negotiation, logon, then records both ways until one side ends it.

use crate::clock::{Clock, Due};
use crate::delivery::Deliveries;
use crate::luname::LuName;
use crate::negotiation::{self, Negotiated};
use crate::output::Output;
use crate::shared::Shared;
use crate::wire::Wire;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;
use tokio::time::Instant;
use transom_datastream::tn3270e::RESPONSE_NONE;
use transom_datastream::{Outbound, ScreenSize, Server, ServerEvent, Wcc, WriteCommand};
use transom_messages as messages;
use transom_region_api::{Attention, Logon, LogonRefused, Session};
use transom_tcpip::{CloseReason, Connection, Counted, Incoming, OpenConnection, Phase};
use transom_types::{ClientCertificate, TcpClient, TermId};

/// UNBIND type: normal end.
const UNBIND_NORMAL: u8 = 1;
/// `LOGOFF` in EBCDIC, typed by a user in SSCP-LU state.
const LOGOFF: [u8; 6] = [0xD3, 0xD6, 0xC7, 0xD6, 0xC6, 0xC6];
/// `UNKNOWN COMMAND` in EBCDIC: the answer to anything else typed there.
const UNKNOWN_COMMAND: [u8; 15] = [
    0xE4, 0xD5, 0xD2, 0xD5, 0xD6, 0xE6, 0xD5, 0x40, 0xC3, 0xD6, 0xD4, 0xD4, 0xC1, 0xD5, 0xC4,
];

/// Handshake, negotiation and logon. `None`: it came to nothing, and the client has been told. A
/// future of its own, since one task's would stay as large as the largest of its phases.
pub(crate) async fn begin(shared: Arc<Shared>, incoming: Incoming) -> Option<Box<Begun>> {
    let Ok(connection) = incoming.open().await else {
        shared.counts.refused.add();
        return None;
    };
    let Connection {
        stream,
        peer,
        local,
        secure,
        watch,
        closed,
        open,
    } = connection;
    let most = shared.config.settings.max_sessions_per_client;
    let Some(counted) = shared.clients.enter(peer.ip(), most) else {
        shared.counts.over_share.add();
        let mut stream = stream;
        let text = negotiation::telnet_line(&messages::zc::too_many_connections());
        let told = async { stream.write_all(text.as_bytes()).await };
        let _in_time = tokio::time::timeout(Duration::from_secs(2), told).await;
        return None;
    };
    // This door keeps its own times; the sweep of the listener only drains.
    watch.enter(Phase::Busy);
    let server = Server::new(negotiation::options(&shared));
    let mut wire = Box::new(Wire::new(stream, server));
    let logon = async {
        wire.flush().await?;
        negotiation::negotiate(&shared, &mut wire).await
    };
    let negotiated = tokio::time::timeout(shared.config.settings.logon_seconds, logon).await;
    let Ok(Some(negotiated)) = negotiated else {
        shared.counts.refused.add();
        return None;
    };
    let client = TcpClient::new(peer, local);
    let tls = secure || shared.config.settings.start_tls;
    let (printer, output) = (negotiated.device.printer, Arc::default());
    let shown = (tls, wire.certificate());
    let (session, lu) = log_on(&shared, negotiated, client, shown, &output);
    Some(Box::new(Begun {
        session,
        _lu: lu,
        shared,
        wire,
        output,
        printer,
        closed,
        _counted: counted,
        _open: open,
    }))
}

/// A connection that has negotiated, in one place: what a future is given by value it has twice,
/// and thousands of terminals wait in this one.
pub(crate) struct Begun {
    shared: Arc<Shared>,
    session: Result<Session, LogonRefused>,
    wire: Box<Wire>,
    output: Arc<Output>,
    /// Taken as long as the session lives.
    _lu: LuName,
    printer: bool,
    closed: oneshot::Receiver<CloseReason>,
    /// Its client's share.
    _counted: Counted,
    _open: OpenConnection,
}

fn log_on(
    shared: &Shared,
    negotiated: Negotiated,
    client: TcpClient,
    (tls, certificate): (bool, Option<ClientCertificate>),
    output: &Arc<Output>,
) -> (Result<Session, LogonRefused>, LuName) {
    let Negotiated {
        device,
        lu,
        partner,
    } = negotiated;
    let logon = Logon {
        netname: Some(lu.as_str().to_owned()),
        device,
        peer: client.client.to_string(),
        client: Some(client),
        tls,
        certificate,
        partner,
    };
    (shared.region.logon(logon, output.clone()), lu)
}

/// Serves it to its end.
pub(crate) async fn serve(mut begun: Box<Begun>) {
    let Begun {
        shared,
        session,
        wire,
        output,
        printer,
        closed,
        ..
    } = &mut *begun;
    match session {
        Ok(Session { terminal, scs, .. }) => {
            shared.counts.logons.add();
            if *printer {
                negotiation::bind_printer(shared, wire, *scs);
            }
            let end = exchange(shared, wire, *terminal, output, closed).await;
            output.close();
            shared.region.logoff(*terminal);
            match end {
                End::Idle => shared.counts.idle_ended.add(),
                End::NotReading => shared.counts.not_reading.add(),
                End::NotAnswering => shared.counts.not_answering.add(),
                End::Gone | End::Asked => {}
            }
        }
        Err(refused) => {
            shared.counts.refused.add();
            wire.server.send(&message(&refused.text), RESPONSE_NONE);
        }
    }
    wire.server.send_unbind(UNBIND_NORMAL);
    // A client that reads nothing keeps nobody waiting.
    let _in_time = tokio::time::timeout(Duration::from_secs(2), wire.close()).await;
}

/// Why a session is over.
enum End {
    /// The client or its network.
    Gone,
    /// The region or the listener.
    Asked,
    Idle,
    NotReading,
    NotAnswering,
}

async fn exchange(
    shared: &Shared,
    wire: &mut Wire,
    terminal: TermId,
    output: &Output,
    closed: &mut oneshot::Receiver<CloseReason>,
) -> End {
    let (mut deliveries, mut clock) = (Deliveries::default(), Clock::new(&shared.config));
    let mut patience = None;
    // A printer's BIND.
    if wire.flush().await.is_none() {
        return End::Gone;
    }
    loop {
        let mut ended = false;
        tokio::select! {
            biased;
            next = output.next(), if deliveries.is_free() => {
                ended = deliveries.put(&mut wire.server, &shared.counts, next);
            }
            () = given_up(shared, output, &mut patience), if !deliveries.is_free() => {
                return End::NotAnswering;
            }
            events = wire.read() => {
                let Some(events) = events else { return End::Gone };
                clock.heard(events.iter().any(|event| matches!(event, ServerEvent::Data(_))));
                for event in events {
                    if heard(shared, wire, terminal, &mut deliveries, event) {
                        return End::Asked;
                    }
                }
            }
            due = clock.due() => match due {
                Due::Idle => return End::Idle,
                Due::NoAnswer => return End::NotAnswering,
                Due::KeepAlive if clock.sent() => wire.server.ask_alive(),
                Due::KeepAlive => wire.server.keep_alive(),
            },
            _ = &mut *closed => return End::Asked,
        }
        // Everything else that waits goes out in the same write.
        while !ended
            && deliveries.is_free()
            && let Some(next) = output.try_next()
        {
            ended = deliveries.put(&mut wire.server, &shared.counts, next);
        }
        match tokio::time::timeout(shared.config.write_time, wire.flush()).await {
            Err(_) => return End::NotReading,
            Ok(None) => return End::Gone,
            Ok(Some(())) => deliveries.flushed(),
        }
        if ended {
            return End::Asked;
        }
    }
}

/// What the client sent; true ends the session.
fn heard(
    shared: &Shared,
    wire: &mut Wire,
    terminal: TermId,
    deliveries: &mut Deliveries,
    event: ServerEvent,
) -> bool {
    match event {
        ServerEvent::Response { sequence, outcome } => {
            let answer = (sequence, outcome);
            deliveries.response(&mut wire.server, &shared.counts, answer);
            false
        }
        ServerEvent::ConditionCleared => {
            deliveries.ready(&mut wire.server, &shared.counts);
            false
        }
        event => take(shared, wire, terminal, event),
    }
}

/// The session must end and its device has had the time to confirm what is on its way: one that
/// never answers, or is out of paper, keeps nobody from that, whatever else it sends meanwhile:
/// `until` stays from call to call.
async fn given_up(shared: &Shared, output: &Output, until: &mut Option<Instant>) {
    output.ends().await;
    let end = || Instant::now() + shared.config.write_time;
    tokio::time::sleep_until(*until.get_or_insert_with(end)).await;
}

/// One event of a session that is on. Answers whether the session must end.
fn take(shared: &Shared, wire: &mut Wire, terminal: TermId, event: ServerEvent) -> bool {
    let region = &shared.region;
    match event {
        ServerEvent::Data(record) => {
            shared.counts.records_in.add();
            region.input(terminal, record);
        }
        ServerEvent::Attention => region.attention(terminal, Attention::Attn),
        ServerEvent::SysReq => region.attention(terminal, Attention::SysReq),
        ServerEvent::SscpLu(text) => {
            let word: Vec<u8> = text.into_iter().filter(|b| *b > 0x40).collect();
            if word == LOGOFF {
                return true;
            }
            wire.server.send_sscp_lu(&UNKNOWN_COMMAND);
        }
        ServerEvent::BadRecord(_) => shared.counts.bad_records.add(),
        // A terminal that becomes another one in the middle of a session is a new session.
        ServerEvent::Renegotiating | ServerEvent::Closed(_) => return true,
        _ => {}
    }
    false
}

/// A screen with one line, for a terminal that is not let in.
fn message(text: &str) -> Vec<u8> {
    let page = transom_copybook::codepage::CodePage::by_ccsid(37);
    let text = page.map(|p| p.encode(text).0).unwrap_or_default();
    let mut screen = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, ScreenSize::MODEL_2);
    screen.set_buffer_address(0).text(&text);
    screen.into_bytes()
}
