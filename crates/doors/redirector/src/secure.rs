//! TLS of one leg, driven by hand: records in, plain bytes out, and back.
//!
//! What: rustls without buffers of its own. Why: a connection then costs its keys and nothing else
//! while it waits. Not here: sockets (`leg`), whom to believe (`transom_tcpip`).

use crate::scratch::Text;
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::server::UnbufferedServerConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, EncryptError, UnbufferedStatus};
use rustls::{ClientConfig, CommonState, Error, ServerConfig};
use std::sync::Arc;

/// What a record needs beside its bytes, at most.
const RECORD_EXTRA: usize = 64;
/// Bytes of a record.
const RECORD_BYTES: usize = 16 * 1024;

/// One end of TLS.
pub(crate) enum Secure {
    Server(UnbufferedServerConnection),
    Client(UnbufferedClientConnection),
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stand {
    /// More of the handshake is needed.
    Handshake,
    /// Bytes may be sent.
    Open,
    /// The peer has said that nothing more comes.
    Closed,
}

enum Step {
    Again,
    Stands(Stand),
    PeerClosed,
}

impl Secure {
    /// The end of a client.
    pub(crate) fn accepting(config: Arc<ServerConfig>) -> Result<Self, Error> {
        UnbufferedServerConnection::new(config).map(Self::Server)
    }

    /// The end of a host.
    pub(crate) fn connecting(
        config: Arc<ClientConfig>,
        name: ServerName<'static>,
    ) -> Result<Self, Error> {
        UnbufferedClientConnection::new(config, name).map(Self::Client)
    }

    /// What both ends agreed on.
    pub(crate) fn state(&self) -> &CommonState {
        match self {
            Self::Server(end) => end,
            Self::Client(end) => end,
        }
    }

    /// Takes what came; plain bytes and answers are appended. Answers how many bytes were used, and
    /// how it stands.
    pub(crate) fn take(
        &mut self,
        incoming: &mut [u8],
        text: &mut Text,
    ) -> (usize, Result<Stand, Error>) {
        let (mut used, mut closed) = (0, false);
        loop {
            let (more, step) = self.step(&mut incoming[used..], text);
            used += more;
            match step {
                Err(error) => return (used, Err(error)),
                Ok(Step::Again) => {}
                Ok(Step::PeerClosed) => closed = true,
                Ok(Step::Stands(_)) if closed => return (used, Ok(Stand::Closed)),
                Ok(Step::Stands(stand)) => return (used, Ok(stand)),
            }
        }
    }

    /// After an error: appends the alert that says so. TLS may be asked for nothing else then.
    pub(crate) fn alert(&mut self, incoming: &mut [u8], text: &mut Text) {
        let _done = self.step(incoming, text);
    }

    fn step(&mut self, incoming: &mut [u8], text: &mut Text) -> (usize, Result<Step, Error>) {
        match self {
            Self::Server(end) => step(end.process_tls_records(incoming), text),
            Self::Client(end) => step(end.process_tls_records(incoming), text),
        }
    }

    /// Appends the records of plain bytes. `part` is what came and is not whole yet: TLS must see
    /// it whenever it is asked for something, because it has places in it.
    pub(crate) fn seal(
        &mut self,
        part: &mut Vec<u8>,
        plain: &[u8],
        sealed: &mut Vec<u8>,
    ) -> Result<(), Error> {
        loop {
            let (discard, done) = match self {
                Self::Server(end) => seal_step(end.process_tls_records(part), plain, sealed),
                Self::Client(end) => seal_step(end.process_tls_records(part), plain, sealed),
            };
            part.drain(..discard);
            if done? {
                return Ok(());
            }
        }
    }

    /// Appends what says that nothing more comes, if that can still be said.
    pub(crate) fn close(&mut self, part: &mut [u8], sealed: &mut Vec<u8>) {
        match self {
            Self::Server(end) => close_step(end.process_tls_records(part), sealed),
            Self::Client(end) => close_step(end.process_tls_records(part), sealed),
        }
    }
}

fn step<Data>(
    status: UnbufferedStatus<'_, '_, Data>,
    text: &mut Text,
) -> (usize, Result<Step, Error>) {
    let UnbufferedStatus { mut discard, state } = status;
    let step = match state {
        Err(error) => Err(error),
        Ok(ConnectionState::ReadTraffic(mut traffic)) => loop {
            match traffic.next_record() {
                None => break Ok(Step::Again),
                Some(Err(error)) => break Err(error),
                Some(Ok(record)) => {
                    discard += record.discard;
                    text.plain.extend_from_slice(record.payload);
                }
            }
        },
        Ok(ConnectionState::EncodeTlsData(mut data)) => {
            append(&mut text.sealed, |room| match data.encode(room) {
                Err(EncodeError::InsufficientSize(short)) => Err(short.required_size),
                done => Ok(done.unwrap_or(0)),
            });
            Ok(Step::Again)
        }
        Ok(ConnectionState::TransmitTlsData(sent)) => {
            sent.done();
            Ok(Step::Again)
        }
        Ok(ConnectionState::BlockedHandshake) => Ok(Step::Stands(Stand::Handshake)),
        Ok(ConnectionState::WriteTraffic(_)) => Ok(Step::Stands(Stand::Open)),
        Ok(ConnectionState::PeerClosed) => Ok(Step::PeerClosed),
        Ok(ConnectionState::Closed) => Ok(Step::Stands(Stand::Closed)),
        // Early data is not taken, and there are no other states.
        Ok(_) => Err(Error::General("a state of TLS that is not known".into())),
    };
    (discard, step)
}

fn close_step<Data>(status: UnbufferedStatus<'_, '_, Data>, sealed: &mut Vec<u8>) {
    if let Ok(ConnectionState::WriteTraffic(mut traffic)) = status.state {
        append(sealed, |room| match traffic.queue_close_notify(room) {
            Err(EncryptError::InsufficientSize(short)) => Err(short.required_size),
            done => Ok(done.unwrap_or(0)),
        });
    }
}

/// `true`: the bytes are sealed; `false`: something else had to go first. Also how many bytes of
/// what came are used.
fn seal_step<Data>(
    status: UnbufferedStatus<'_, '_, Data>,
    plain: &[u8],
    sealed: &mut Vec<u8>,
) -> (usize, Result<bool, Error>) {
    let state = status.state.and_then(|state| seal_in(state, plain, sealed));
    (status.discard, state)
}

fn seal_in<Data>(
    state: ConnectionState<'_, '_, Data>,
    plain: &[u8],
    sealed: &mut Vec<u8>,
) -> Result<bool, Error> {
    match state {
        ConnectionState::WriteTraffic(mut traffic) => {
            let at = sealed.len();
            let records = plain.len() / RECORD_BYTES + 2;
            sealed.resize(at + plain.len() + records * RECORD_EXTRA, 0);
            let written = match traffic.encrypt(plain, &mut sealed[at..]) {
                Ok(written) => written,
                Err(EncryptError::InsufficientSize(short)) => {
                    sealed.resize(at + short.required_size, 0);
                    let again = traffic.encrypt(plain, &mut sealed[at..]);
                    again.map_err(|e| Error::General(e.to_string()))?
                }
                Err(error) => return Err(Error::General(error.to_string())),
            };
            sealed.truncate(at + written);
            Ok(true)
        }
        ConnectionState::EncodeTlsData(mut data) => {
            append(sealed, |room| match data.encode(room) {
                Err(EncodeError::InsufficientSize(short)) => Err(short.required_size),
                done => Ok(done.unwrap_or(0)),
            });
            Ok(false)
        }
        ConnectionState::TransmitTlsData(sent) => {
            sent.done();
            Ok(false)
        }
        ConnectionState::PeerClosed => Ok(false),
        _ => Err(Error::General("TLS is closed".into())),
    }
}

/// Appends what is written into room that is made for it; `Err` of `write` is how much it needs.
fn append(out: &mut Vec<u8>, mut write: impl FnMut(&mut [u8]) -> Result<usize, usize>) {
    let at = out.len();
    let mut room = 0;
    loop {
        out.resize(at + room, 0);
        match write(&mut out[at..]) {
            Ok(written) => return out.truncate(at + written),
            Err(needed) if needed > room => room = needed,
            Err(_) => return out.truncate(at),
        }
    }
}
