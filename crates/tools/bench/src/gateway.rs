//! Benches `gateway` and `gateway-clients`: R1's request through gateway, region and COBOL.

use crate::figure::{self, Goal};
use crate::runs::{Peer, median, quick, repetitions};
use crate::servers::{self, Server};
use crate::{cpu, liberty};
use clap::Parser;
use std::path::Path;
use transom_driver::{DriveArgs, StepResult};

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: DriveArgs,
}

/// One reply size: name, value of count_out, array elements.
const SIZES: &[(&str, u32, u32)] = &[
    ("1k", 32, 31),
    ("4k", 128, 127),
    ("8k", 256, 255),
    ("16k", 512, 511),
];
pub(crate) const SAMPLE: &str = "samples/gateway";

/// CPU per transaction against peers, 100 keep-alive clients without think time.
pub(crate) fn sizes() -> Result<(), String> {
    let server = servers::transom(Path::new(SAMPLE))?;
    figure::value(
        "gateway_ready",
        server.ready.as_secs_f64(),
        "s",
        Goal::Most(1.0),
    );
    let mut cost = Vec::new();
    for (name, count_out, elements) in SIZES {
        let body = reply(&server, name, *count_out, *elements)?;
        let (us, tps, peers) = size(&server, name, *count_out, &body)?;
        against(name, us, tps, peers);
        cost.push((f64::from(*elements), us));
    }
    if let (Some(first), Some(last)) = (cost.first(), cost.last()) {
        let slope = (last.1 - first.1) / (last.0 - first.0) * 10.0;
        figure::value(
            "gateway_slope_per_10_elements",
            slope,
            "us",
            Goal::Most(0.4),
        );
    }
    memory(&server);
    Ok(())
}

/// CPU of the peers of one size, or why there is none: a static file, a constant reply, a servlet.
type Peers = [Result<f64, String>; 3];

/// Own CPU and rate of one size and, by turns with it, that of the peers.
fn size(
    server: &Server,
    name: &str,
    count_out: u32,
    body: &[u8],
) -> Result<(f64, f64, Peers), String> {
    let (nginx, constant) = (servers::nginx(body)?, servers::constant(body)?);
    let asked = Some(count_out);
    let servlet = format!("/bench/{name}/1");
    let java = liberty::start();
    let mut peers = [
        Ok((&nginx, "/reply.json", None)),
        Ok((&constant, "/", asked)),
        java.as_ref()
            .map(|java| (java, servlet.as_str(), asked))
            .map_err(String::clone),
    ]
    .map(|peer| {
        let (server, path, asked) = peer?;
        let cpu = move || run(server, path, asked, 100, 0).map(|(us, _)| us);
        Ok::<_, String>((cpu, Peer::warmed(cpu)?))
    });
    let (mut own, mut tps) = (vec![], vec![]);
    for _ in 0..repetitions() {
        let step = run(server, &put_path(name), asked, 100, 0)?;
        own.push(step.0);
        tps.push(step.1.tps);
        for (cpu, peer) in peers.iter_mut().flatten() {
            peer.take(cpu()?);
        }
    }
    let peers = peers.map(|peer| peer.and_then(|(_, peer)| peer.figure()));
    Ok((median(own), median(tps), peers))
}

/// CPU of one size, and beside that of its peers.
fn against(name: &str, us: f64, tps: f64, [nginx, constant, servlet]: Peers) {
    let (cpu, nginx_goal, servlet_goal) = match name {
        "1k" => (Goal::Most(15.0), Goal::Most(1.5), Goal::None),
        "16k" => (Goal::Most(35.0), Goal::Most(2.0), Goal::Most(0.35)),
        _ => (Goal::None, Goal::None, Goal::None),
    };
    let figure = |peer: &str| format!("gateway_{name}_{peer}");
    figure::value(&figure("cpu"), us, "us", cpu);
    figure::value(&figure("tps"), tps, "1/s", Goal::None);
    for (short, peer, value, goal) in [
        ("nginx", "nginx", nginx, nginx_goal),
        ("constant", "hyper-constant", constant, Goal::None),
        ("liberty", "liberty-servlet", servlet, servlet_goal),
    ] {
        match value {
            Ok(value) => figure::ratio(&figure(short), us, "us", (peer, value), goal),
            Err(why) => figure::skipped(&figure(short), &why),
        }
    }
}

/// CPU microseconds of the smallest request, 100 clients without think time.
pub(crate) fn small(server: &Server) -> Result<f64, String> {
    run(server, &put_path("1k"), Some(32), 100, 0).map(|(us, _)| us)
}

/// R1's figures 14 to 21: 100 to 500 clients with 100 ms think time.
pub(crate) fn clients() -> Result<(), String> {
    const THINK_MS: u32 = 100;
    let server = servers::transom(Path::new(SAMPLE))?;
    let counts: &[u32] = if quick() {
        &[100, 500]
    } else {
        &[100, 200, 300, 400, 500]
    };
    for (name, count_out, elements) in SIZES.iter().filter(|s| s.0 != "8k") {
        reply(&server, name, *count_out, *elements)?;
        let mut cost = Vec::new();
        let (mut lowest, mut slowest, mut failed) = (f64::MAX, 0.0_f64, 0);
        for clients in counts {
            let (us, step) = run(
                &server,
                &put_path(name),
                Some(*count_out),
                *clients,
                THINK_MS,
            )?;
            let bound =
                f64::from(*clients) / (f64::from(THINK_MS) / 1000.0 + step.average_ms / 1000.0);
            let figure = |what: &str| format!("clients_{name}_{clients}_{what}");
            figure::value(&figure("tps"), step.tps, "1/s", Goal::None);
            figure::value(&figure("average"), step.average_ms, "ms", Goal::None);
            let closed = step.tps / bound;
            figure::value(&figure("closed_loop"), closed, "ratio", Goal::None);
            lowest = lowest.min(step.tps / step.tps_bound);
            slowest = slowest.max(step.p99_ms);
            failed += step.failures.total();
            cost.push(us);
        }
        let figure = |what: &str| format!("clients_{name}_{what}");
        let bound = Goal::Least(0.99);
        figure::value(&figure("tps_of_bound"), lowest, "ratio", bound);
        figure::value(&figure("p99"), slowest, "ms", Goal::Most(10.0));
        let failed = failed as f64;
        figure::value(&figure("failed"), failed, "requests", Goal::Most(0.0));
        if let (Some(first), Some(last)) = (cost.first(), cost.last()) {
            figure::value(&format!("clients_{name}_cpu"), *last, "us", Goal::None);
            let drift = (last - first) / first * 100.0;
            figure::value(
                &format!("clients_{name}_cpu_drift"),
                drift,
                "%",
                Goal::Most(5.0),
            );
        }
    }
    Ok(())
}

/// CPU microseconds per good reply, and the step itself.
fn run(
    server: &Server,
    path: &str,
    count_out: Option<u32>,
    clients: u32,
    think_ms: u32,
) -> Result<(f64, StepResult), String> {
    let url = format!("http://127.0.0.1:{}{path}", server.port);
    let seconds = if quick() { 2 } else { 6 };
    let mut words: Vec<String> = vec!["drive".into(), url.clone(), "--quiet".into()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--clients", clients.to_string());
    option("--think", format!("{think_ms}ms"));
    option(
        "--ramp-up",
        if think_ms > 0 {
            "500ms".into()
        } else {
            "100ms".into()
        },
    );
    option("--warm-up", "1s".into());
    option("--duration", format!("{seconds}s"));
    for pid in cpu::tree_pids(server.pid()) {
        option("--process", pid.to_string());
    }
    if let Some(count_out) = count_out {
        option("--method", "PUT".into());
        option("--body", request_body(path, count_out));
    }
    let options = Options::try_parse_from(&words).map_err(|e| e.to_string())?;
    let result = transom_driver::drive_silently(&options.args).map_err(|e| e.to_string())?;
    let step = result
        .steps
        .into_iter()
        .next()
        .ok_or("the driver made no step")?;
    if step.transactions == 0 {
        return Err(format!("{url}: no good reply: {:?}", step.failures));
    }
    Ok((step.cpu_ms_per_transaction * 1000.0, step))
}

fn put_path(name: &str) -> String {
    format!("/comm{name}/mapping/CABASIC-RS2/1")
}

/// R1, figures 2 and 5.
fn request_body(path: &str, count_out: u32) -> String {
    let name = path
        .trim_start_matches("/comm")
        .split('/')
        .next()
        .unwrap_or("1k")
        .to_uppercase();
    format!("{{\"COMM{name}Operation\":{{\"count_out\":{count_out}}}}}")
}

/// One reply, checked: so many elements, the last with its number.
fn reply(server: &Server, name: &str, count_out: u32, elements: u32) -> Result<Vec<u8>, String> {
    let path = put_path(name);
    let body = request_body(&path, count_out);
    let request = format!(
        "PUT {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let reply = servers::fetch(server.port, &request)?;
    let text = String::from_utf8_lossy(&reply);
    if text.contains(&format!("{elements:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-")) {
        Ok(reply)
    } else {
        Err(format!(
            "{path}: the reply has not {elements} elements: {}",
            &text[..text.len().min(300)]
        ))
    }
}

/// Memory with the workers the load left behind.
fn memory(server: &Server) {
    let workers = cpu::tree_pids(server.pid()).len().saturating_sub(2);
    figure::value("gateway_processes", workers as f64, "workers", Goal::None);
    figure::value(
        "gateway_memory",
        cpu::tree_pss_mb(server.pid()),
        "MB",
        Goal::Most(60.0),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_name_their_operation() {
        assert_eq!(
            request_body("/comm16k/mapping/x/1", 512),
            "{\"COMM16KOperation\":{\"count_out\":512}}"
        );
    }

    #[test]
    fn the_driver_is_called_as_its_own_command_line() {
        assert!(
            Options::try_parse_from(["drive", "http://127.0.0.1:1/", "--quiet", "--think", "0ms"])
                .is_ok()
        );
    }
}
