//! The gateway's own share: R1's APIs in front of a CABASIC that costs next to nothing.
//!
//! `cabasic PORT` serves `/comm{1,4,8,16}k/mapping/CABASIC-RS2/{countIn}` from a region that is one
//! Rust function. Compare its CPU per request with the `constant` example's: the difference is
//! routing, mapping and conversion.

mod setup;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use transom_gateway::{Gateway, Regions};
use transom_region_api::{LinkFailure, LinkOutput, LinkRequest, Payload, Programs, Reply};
use transom_types::TransId;

/// A region of one program with prepared replies.
struct OneProgram {
    replies: Vec<(usize, Vec<u8>)>,
}

impl Programs for OneProgram {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        let count = match &request.payload {
            Payload::Commarea(area) => area
                .get(4..8)
                .map_or(0, |b| u32::from_be_bytes([b[0], b[1], b[2], b[3]])),
            Payload::Channel { .. } => 0,
        };
        let found = self
            .replies
            .iter()
            .find(|(blocks, _)| *blocks == count as usize);
        let reply = found
            .or(self.replies.first())
            .map(|(_, reply)| reply.clone());
        Box::pin(std::future::ready(Ok(LinkOutput {
            payload: Payload::Commarea(reply.unwrap_or_default()),
            task_number: 1,
            transid: TransId::BLANK,
            cpu_ns: 0,
        })))
    }
}

/// What the COBOL program leaves for `blocks` blocks of 32 bytes.
fn reply(blocks: usize) -> Vec<u8> {
    let mut out = vec![b' '; blocks * 32];
    out[0..4].copy_from_slice(&0_u32.to_be_bytes());
    out[4..8].copy_from_slice(&(blocks as u32 * 32).to_be_bytes());
    out[8..12].copy_from_slice(&181_u32.to_be_bytes());
    out[12..16].copy_from_slice(b"BBO#");
    for block in 1..blocks {
        let text = format!("{block:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
        out[block * 32..block * 32 + 32].copy_from_slice(text.as_bytes());
    }
    out
}

fn main() {
    let port: u16 = std::env::args()
        .nth(1)
        .and_then(|p| p.parse().ok())
        .unwrap_or(2222);
    let folder = std::env::temp_dir().join(format!("transom-cabasic-{}", std::process::id()));
    let mut config = setup::configure(&folder);
    config.http = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    config.threads = 1;
    let blocks = setup::SIZES.map(|(_, elements)| elements as usize + 1);
    let region = OneProgram {
        replies: blocks.map(|b| (b, reply(b))).into(),
    };
    let gateway = Gateway::start(config, Regions::new(Arc::new(region))).expect("a gateway");
    gateway.notices().iter().for_each(|n| println!("{n}"));
    let _ = std::fs::remove_dir_all(&folder);
    println!("http://{}", gateway.http().expect("an address"));
    loop {
        std::thread::park();
    }
}
