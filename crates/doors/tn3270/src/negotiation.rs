//! From connect to logon: telnet options, TLS on demand, LU name, BIND, Query.
//!
//! What: [`negotiate`] takes a fresh connection to a device the region can be told of. Not here:
//! the dialogue's rules (`transom_datastream::Server`).

use crate::luname::LuName;
use crate::shared::Shared;
use crate::wire::Wire;
use std::sync::Arc;
use std::time::Duration;
use transom_datastream::inbound::{self, Capabilities, Inbound};
use transom_datastream::tn3270e::{
    Bind, DeviceKind, DeviceType, Functions, RESPONSE_NONE, RejectReason,
};
use transom_datastream::{
    Connected, LuRequest, ScreenSize, ServerEvent, ServerOptions, StartTls, StructuredFields,
};
use transom_messages::{self as messages, Message};
use transom_region_api::{Device, Seat, SeatRefused};

/// How long a terminal may take to answer the Query.
const QUERY_TIME: Duration = Duration::from_secs(5);
/// Names that are looked at for a client that names none.
const NAMES_TRIED_MAX: usize = 100_000;
/// A line for a client that is no terminal of ours.
pub(crate) fn telnet_line(message: &Message) -> String {
    format!("\r\n{message}\r\n")
}

/// A client that is a terminal.
pub(crate) struct Negotiated {
    pub(crate) device: Device,
    pub(crate) lu: LuName,
    /// A printer: the display it belongs to.
    pub(crate) partner: Option<String>,
}

/// What the dialogue is set to.
pub(crate) fn options(shared: &Shared) -> ServerOptions {
    ServerOptions {
        start_tls: match shared.config.settings.start_tls {
            true => StartTls::Require,
            false => StartTls::No,
        },
        tn3270e: true,
        functions: Functions::PRINTER,
        environment: false,
    }
}

/// `None`: the client is no terminal, or went away.
pub(crate) async fn negotiate(shared: &Arc<Shared>, wire: &mut Wire) -> Option<Negotiated> {
    let mut lu: Option<LuName> = None;
    let mut partner = None;
    loop {
        for event in wire.read().await? {
            match event {
                ServerEvent::StartTls => wire.start_tls(shared.config.tls.as_ref()?).await?,
                ServerEvent::Device(request) => {
                    lu = None;
                    partner = match &request.lu {
                        LuRequest::Associate(display) => Some(display.clone()),
                        _ => None,
                    };
                    match choose(shared, &request.lu, request.device.is_printer()) {
                        Ok(name) => {
                            wire.accept(name.as_str());
                            lu = Some(name);
                        }
                        Err(reason) => wire.reject(reason),
                    }
                }
                ServerEvent::NotA3270(_) => {
                    wire.server
                        .send_text(telnet_line(&messages::zc::not_a_3270()).as_bytes());
                    wire.flush().await?;
                    return None;
                }
                ServerEvent::Closed(_) => {
                    wire.flush().await;
                    return None;
                }
                _ => {}
            }
        }
        if let Some(connected) = wire.server.session().cloned() {
            let lu = lu.take()?;
            let device = describe(shared, wire, &connected).await?;
            return Some(Negotiated {
                device,
                lu,
                partner,
            });
        }
        wire.flush().await?;
    }
}

fn choose(shared: &Shared, wanted: &LuRequest, printer: bool) -> Result<LuName, RejectReason> {
    let seat = match wanted {
        LuRequest::Any => Seat::Any,
        LuRequest::Connect(name) => Seat::Named(name),
        LuRequest::Associate(display) => Seat::PrinterOf(display),
    };
    let name = shared
        .region
        .seat(seat, printer)
        .map_err(|refused| match refused {
            SeatRefused::Unknown => RejectReason::InvName,
            SeatRefused::InUse => RejectReason::DeviceInUse,
            SeatRefused::WrongType => RejectReason::TypeNameError,
            SeatRefused::NoPartner => RejectReason::InvAssociate,
        })?;
    match name {
        Some(name) => shared.names.take(&name).ok_or(RejectReason::DeviceInUse),
        None => any_name(shared, printer),
    }
}

/// A new name. Those that sessions of the region's other doors have are passed over.
fn any_name(shared: &Shared, printer: bool) -> Result<LuName, RejectReason> {
    for _ in 0..NAMES_TRIED_MAX {
        let name = shared.names.any().ok_or(RejectReason::UnknownError)?;
        if shared.region.seat(Seat::Named(name.as_str()), printer) != Err(SeatRefused::InUse) {
            return Ok(name);
        }
    }
    Err(RejectReason::UnknownError)
}

/// A printer's BIND says whether it gets SCS (LU type 1) or 3270 data streams, which is known after
/// its logon.
pub(crate) fn bind_printer(shared: &Shared, wire: &mut Wire, scs: bool) {
    wire.server.send_bind(&Bind {
        default: ScreenSize::MODEL_2,
        alternate: Some(ScreenSize::MODEL_2),
        plu_name: shared.config.applid.clone(),
        printer: true,
        scs,
    });
}

/// BIND and Query, as far as the client wants them.
async fn describe(shared: &Shared, wire: &mut Wire, connected: &Connected) -> Option<Device> {
    let kind: &DeviceType = &connected.device;
    if !kind.is_printer() {
        wire.server.send_bind(&Bind {
            default: ScreenSize::MODEL_2,
            // A limit would bind a dynamic terminal to model 2.
            alternate: (kind.kind != DeviceKind::Dynamic).then(|| kind.alternate()),
            plu_name: shared.config.applid.clone(),
            printer: false,
            scs: false,
        });
    }
    let mut able = Capabilities::basic(ScreenSize::MODEL_2, kind.alternate());
    if kind.extended && !kind.is_printer() {
        let query = StructuredFields::new().query().bytes().to_vec();
        wire.server.send(&query, RESPONSE_NONE);
        wire.flush().await?;
        if tokio::time::timeout(QUERY_TIME, replies(wire, &mut able))
            .await
            .is_ok_and(|told| told.is_none())
        {
            return None;
        }
    }
    wire.flush().await?;
    Some(Device {
        name: kind.name.clone(),
        default_size: rows_and_columns(able.default),
        alternate_size: rows_and_columns(able.alternate),
        extended: able.extended,
        colour: able.colour,
        highlight: able.highlight,
        outline: able.outlining,
        validation: able.validation,
        ccsid: code_page(&able).unwrap_or(shared.config.settings.ccsid),
        printer: kind.is_printer(),
    })
}

/// Reads until Query Replies came. Keys pressed before are lost, as on a locked keyboard.
async fn replies(wire: &mut Wire, able: &mut Capabilities) -> Option<()> {
    loop {
        for event in wire.read().await? {
            match event {
                ServerEvent::Data(record) => {
                    let parsed = inbound::parse(&record, able.alternate);
                    if let Ok(Inbound::Structured(fields)) = parsed {
                        able.learn(&fields);
                        return Some(());
                    }
                }
                ServerEvent::Closed(_) => return None,
                _ => {}
            }
        }
        wire.flush().await?;
    }
}

fn rows_and_columns(size: ScreenSize) -> (u16, u16) {
    (size.rows() as u16, size.columns() as u16)
}

/// The code page part of a CGCSGID, when it is one we can translate.
fn code_page(able: &Capabilities) -> Option<u32> {
    let (_, page) = able.code_page?;
    let ccsid = u32::from(page);
    transom_copybook::codepage::CodePage::by_ccsid(ccsid).map(|_| ccsid)
}
