//! APIs of a gateway: its start, a request, a deployment among few and among thousands.
//!
//! Each API has two operations and a service of its own, all in front of CABASIC.

use super::flat::flat;
use crate::cpu;
use crate::figure::{self, Goal};
use crate::runs::{median, quick};
use crate::servers::{self, Server};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_apidef::plan::ServicePlan;
use transom_apidef::toolkit::{build_api, build_service};
use transom_copybook::shape::RecordFormat;

const SIZES: [usize; 3] = [50, 500, 5_000];
const SAMPLE: &str = "samples/gateway";
const REQUEST: &str = r#"{"CABREQ":{"COUNT_IN":1,"COUNT_OUT":32}}"#;
/// Deployments whose median is printed.
const DEPLOYMENTS: usize = 15;

pub(super) fn run() -> Result<(), String> {
    let (mut starts, mut requests, mut deployments) = (vec![], vec![], vec![]);
    for size in SIZES {
        let system = tempfile::tempdir().map_err(|e| e.to_string())?;
        let archive = write_system(system.path(), size)?;
        let server = servers::transom(system.path())?;
        let ready = server.ready.as_secs_f64();
        let goal = match size {
            5_000 => Goal::Most(2.0),
            _ => Goal::None,
        };
        figure::value(&format!("growth_gateway_ready_{size}"), ready, "s", goal);
        let pss = cpu::tree_pss_mb(server.pid());
        let memory = format!("growth_gateway_memory_{size}");
        figure::value(&memory, pss, "MB", Goal::None);
        starts.push((size, ready * 1e3 / size as f64));
        requests.push((size, request(&server, size)?));
        deployments.push((size, deployment(&server, size, &archive)?));
    }
    flat("gateway_start_of_one", "ms", &starts);
    flat("gateway_request", "us", &requests);
    let slowest = deployments.last().map_or(0.0, |(_, ms)| *ms);
    for (size, ms) in &deployments {
        let name = format!("growth_gateway_deployment_{size}");
        figure::value(&name, *ms, "ms", Goal::None);
    }
    figure::value("growth_gateway_deployment", slowest, "ms", Goal::Most(10.0));
    Ok(())
}

/// A copy of the sample with so many APIs; answers the archive of the last one.
fn write_system(root: &Path, apis: usize) -> Result<Vec<u8>, String> {
    let io = |e: std::io::Error| e.to_string();
    for folder in ["cobol", "copy", "csd"] {
        fs::create_dir_all(root.join(folder)).map_err(io)?;
        for entry in fs::read_dir(Path::new(SAMPLE).join(folder)).map_err(io)? {
            let entry = entry.map_err(io)?;
            let to = root.join(folder).join(entry.file_name());
            fs::copy(entry.path(), to).map_err(io)?;
        }
    }
    fs::copy(
        Path::new(SAMPLE).join("transom.toml"),
        root.join("transom.toml"),
    )
    .map_err(io)?;
    let server = "<server><featureManager><feature>zosconnect:zosconnect-2.0</feature>\
                  </featureManager><httpEndpoint id=\"e\" host=\"localhost\" httpPort=\"2222\"/>\
                  <zosconnect_zosConnectManager requireAuth=\"false\" requireSecure=\"false\"/>\
                  </server>";
    fs::write(root.join("server.xml"), server).map_err(io)?;
    let resources = root.join("resources/zosconnect");
    fs::create_dir_all(resources.join("services")).map_err(io)?;
    fs::create_dir_all(resources.join("apis")).map_err(io)?;
    let mut last = Vec::new();
    for number in 0..apis {
        let (service, api) = archives(number)?;
        let file =
            |folder: &str, ending: &str| resources.join(format!("{folder}/g{number:05}.{ending}"));
        fs::write(file("services", "sar"), service).map_err(io)?;
        fs::write(file("apis", "aar"), &api).map_err(io)?;
        last = api;
    }
    Ok(last)
}

fn archives(number: usize) -> Result<(Vec<u8>, Vec<u8>), String> {
    let copybook = |name: &str| fs::read_to_string(Path::new(SAMPLE).join("copy").join(name)).ok();
    let service = format!(
        "name: g{number:05}\nprogram: CABASIC\nversion: 1.0.0\n\
         request: {{copybook: CABREQ.cpy}}\nresponse: {{copybook: CAB1K.cpy}}\n"
    );
    let built =
        build_service("service.yaml", &service, copybook).map_err(|p| p.id_first().to_string())?;
    let api = format!(
        "name: g{number:05}\nversion: 1.0.0\nbasePath: /g{number:05}\noperations:\n\
         - {{method: PUT, path: '/call/{{id}}', service: g{number:05}}}\n\
         - {{method: POST, path: /call, service: g{number:05}}}\n"
    );
    let plan = ServicePlan::new(&built.service, &RecordFormat::region());
    let plan = Arc::new(plan.map_err(|p| p.id_first().to_string())?);
    let api = build_api("api.yaml", &api, |_| Some(plan.clone()))
        .map_err(|p| p.id_first().to_string())?;
    Ok((built.bytes, api))
}

/// CPU of the server for a request to the last API, one client, keep-alive.
fn request(server: &Server, size: usize) -> Result<f64, String> {
    let mut client = Client::connect(server.port)?;
    let path = format!("/g{:05}/call/7", size - 1);
    let mut measure = |requests: u32| -> Result<f64, String> {
        let begin = cpu::tree_seconds(server.pid());
        for _ in 0..requests {
            client.send("PUT", &path, "application/json", REQUEST.as_bytes(), 200)?;
        }
        Ok((cpu::tree_seconds(server.pid()) - begin) * 1e6 / f64::from(requests))
    };
    measure(2_000)?;
    measure(if quick() { 5_000 } else { 30_000 })
}

/// Median time of an update of one API over HTTP, its file on disk.
fn deployment(server: &Server, size: usize, archive: &[u8]) -> Result<f64, String> {
    let mut client = Client::connect(server.port)?;
    let path = format!("/zosConnect/apis/g{:05}", size - 1);
    let mut times = Vec::new();
    for _ in 0..DEPLOYMENTS {
        let begin = Instant::now();
        client.send("PUT", &path, "application/zip", archive, 200)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}

/// One connection.
struct Client {
    socket: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    fn connect(port: u16) -> Result<Self, String> {
        let socket = TcpStream::connect(("127.0.0.1", port)).map_err(|e| e.to_string())?;
        let patience = Some(Duration::from_secs(30));
        socket
            .set_read_timeout(patience)
            .map_err(|e| e.to_string())?;
        socket.set_nodelay(true).map_err(|e| e.to_string())?;
        Ok(Self {
            socket,
            buffer: vec![0; 64 << 10],
        })
    }

    /// Sends a request and reads its reply, whose status must be the one that is wanted.
    fn send(
        &mut self,
        method: &str,
        path: &str,
        kind: &str,
        body: &[u8],
        wanted: u16,
    ) -> Result<(), String> {
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n\
             content-length: {length}\r\n\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        let io = |e: std::io::Error| format!("{path}: {e}");
        self.socket.write_all(&request).map_err(io)?;
        let mut filled = 0;
        loop {
            let read = self.socket.read(&mut self.buffer[filled..]).map_err(io)?;
            filled += read;
            let reply = &self.buffer[..filled];
            if let Some(whole) = whole(reply) {
                let status = format!("HTTP/1.1 {wanted}");
                return match reply.starts_with(status.as_bytes()) {
                    true if filled == whole => Ok(()),
                    _ => Err(format!("{path}: {}", String::from_utf8_lossy(reply))),
                };
            }
            if read == 0 || filled == self.buffer.len() {
                return Err(format!("{path}: the reply is cut or too long"));
            }
        }
    }
}

/// Length of a reply, once it is all there.
fn whole(reply: &[u8]) -> Option<usize> {
    let head = reply.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&reply[..head]).to_ascii_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))?;
    let whole = head + length.trim().parse::<usize>().ok()?;
    (reply.len() >= whole).then_some(whole)
}
