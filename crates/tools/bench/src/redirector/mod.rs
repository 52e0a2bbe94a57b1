//! Bench `redirector`: TLS terminals through `transom redirector` and through haproxy, nginx and
//! stunnel in the same run.
//!
//! What: CPU per screen and per handshake, memory per connection. Each proxy has one thread on the
//! first processor; users and hosts are this process, on another where there is one. Proxies take
//! turns, so that what else the machine does hits all of them.

mod load;
pub(crate) mod peers;

use crate::cpu;
use crate::figure::{self, Goal};
use crate::runs::{Peer, median, quick};
use crate::servers::Server;
use load::Load;
use peers::{Certificates, Kind};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Sessions that one process must have.
const MOST: usize = 9_500;

/// What one proxy took.
#[derive(Default)]
struct Taken {
    handshake_ms: Vec<f64>,
    screen_ms: Vec<f64>,
    p50_us: Vec<f64>,
    memory_kb: Vec<f64>,
}

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let certificates = Certificates::new()?;
    let load = Load::new()?;
    let mut failures = 0;
    for users in if quick() {
        vec![1_000]
    } else {
        vec![1_000, 4_000]
    } {
        let taken = compare(&certificates, &load, users, &mut failures)?;
        screens(users, &taken);
    }
    rsa(&certificates, &load, &mut failures)?;
    both(&certificates, &load, &mut failures)?;
    most(&certificates, &load)?;
    come_and_go(&certificates, &load, &mut failures)?;
    figure::value("redirector_failures", failures as f64, "1", Goal::Most(0.0));
    Ok(())
}

fn turns() -> usize {
    if quick() { 2 } else { 5 }
}

/// All proxies with so many users, in turns.
fn compare(
    certificates: &Certificates,
    load: &Load,
    users: usize,
    failures: &mut usize,
) -> Result<BTreeMap<Kind, Taken>, String> {
    let mut proxies = Vec::new();
    for kind in Kind::ALL {
        match peers::start(kind, certificates.ecdsa(), load.host()) {
            Ok(server) => proxies.push((kind, server)),
            Err(why) if kind == Kind::Transom => return Err(why),
            Err(why) => figure::skipped(&format!("redirector_{}", kind.name()), &why),
        }
    }
    let seconds = if quick() { 4 } else { 10 };
    let mut taken: BTreeMap<Kind, Taken> = BTreeMap::new();
    for turn in 0..turns() {
        for (kind, server) in &proxies {
            let of_kind = taken.entry(*kind).or_default();
            // What the first connections load is no connection's.
            if turn == 0 {
                drop(load.connect(server.port, 20, failures));
                std::thread::sleep(Duration::from_millis(500));
            }
            let memory = cpu::tree_pss_mb(server.pid());
            let before = cpu::ran_seconds(server.pid());
            let sessions = load.connect(server.port, users, failures);
            let shaken = cpu::ran_seconds(server.pid()) - before;
            of_kind.handshake_ms.push(shaken * 1e3 / users as f64);
            if turn == 0 {
                let grown = cpu::tree_pss_mb(server.pid()) - memory;
                of_kind.memory_kb.push(grown * 1024.0 / users as f64);
            }
            let before = cpu::ran_seconds(server.pid());
            let played = load.play(sessions, Duration::from_secs(seconds), failures);
            let used = cpu::ran_seconds(server.pid()) - before;
            drop(played.sessions);
            of_kind
                .screen_ms
                .push(used * 1e3 / played.screens.max(1) as f64);
            of_kind.p50_us.push(played.p50_us);
        }
    }
    Ok(taken)
}

/// The figures beside each peer; one whose turns differ much is not compared with.
fn screens(users: usize, taken: &BTreeMap<Kind, Taken>) {
    let Some(own) = taken.get(&Kind::Transom) else {
        return;
    };
    let goal = |kind: &Kind, goal| match kind {
        Kind::Haproxy => goal,
        _ => Goal::None,
    };
    for (kind, peer) in taken.iter().filter(|(kind, _)| **kind != Kind::Transom) {
        let beside = |name: &str, unit, of: Of, least: Goal| {
            let name = format!("redirector_{name}_{users}");
            match steady(of(peer)) {
                Ok(peer) => {
                    let (own, peer) = match unit {
                        A_SECOND => (
                            1e3 / median(of(own).clone()).max(1e-9),
                            1e3 / peer.max(1e-9),
                        ),
                        _ => (median(of(own).clone()), peer),
                    };
                    figure::ratio(&name, own, unit, (kind.name(), peer), goal(kind, least));
                }
                Err(why) => figure::skipped(&format!("{name}_{}", kind.name()), &why),
            }
        };
        beside("cpu_screen", "ms", |t| &t.screen_ms, Goal::Most(0.6));
        beside(
            "handshakes_ecdsa",
            A_SECOND,
            |t| &t.handshake_ms,
            Goal::Least(1.5),
        );
        beside("p50", "us", |t| &t.p50_us, Goal::Most(1.0));
        beside("memory_beside", "KB", |t| &t.memory_kb, Goal::None);
    }
    let memory = median(own.memory_kb.clone());
    let name = format!("redirector_memory_client_tls_{users}");
    figure::value(&name, memory, "KB", Goal::Most(10.0));
}

/// Which of the times.
type Of = fn(&Taken) -> &Vec<f64>;

/// Unit of what is measured in milliseconds each.
const A_SECOND: &str = "1/cpu-s";

fn steady(values: &[f64]) -> Result<f64, String> {
    let mut peer = Peer::default();
    for value in values {
        peer.take(*value);
    }
    peer.figure()
}

/// Handshakes with a key of RSA.
fn rsa(certificates: &Certificates, load: &Load, failures: &mut usize) -> Result<(), String> {
    let key = certificates.rsa()?;
    let own = peers::start(Kind::Transom, &key, load.host())?;
    let haproxy = match peers::start(Kind::Haproxy, &key, load.host()) {
        Ok(server) => server,
        Err(why) => {
            figure::skipped("redirector_handshakes_rsa", &why);
            return Ok(());
        }
    };
    let users = 500;
    let (mut own_ms, mut peer_ms) = (Vec::new(), Vec::new());
    for _ in 0..turns() {
        for (server, times) in [(&own, &mut own_ms), (&haproxy, &mut peer_ms)] {
            let before = cpu::ran_seconds(server.pid());
            drop(load.connect(server.port, users, failures));
            let used = cpu::ran_seconds(server.pid()) - before;
            times.push(used * 1e3 / users as f64);
        }
    }
    let name = "redirector_handshakes_rsa";
    match steady(&peer_ms) {
        Ok(peer) => {
            let (own, peer) = (1e3 / median(own_ms).max(1e-9), 1e3 / peer.max(1e-9));
            figure::ratio(name, own, A_SECOND, ("haproxy", peer), Goal::Least(1.1));
        }
        Err(why) => figure::skipped(name, &why),
    }
    Ok(())
}

/// Memory with TLS on both sides.
fn both(certificates: &Certificates, load: &Load, failures: &mut usize) -> Result<(), String> {
    let users = 1_000;
    let port = load.secure_host(certificates.ecdsa())?;
    let server = peers::both(certificates.ecdsa(), port)?;
    drop(load.connect(server.port, 20, failures));
    std::thread::sleep(Duration::from_millis(500));
    let before = cpu::tree_pss_mb(server.pid());
    let sessions = load.connect(server.port, users, failures);
    let grown = cpu::tree_pss_mb(server.pid()) - before;
    drop(sessions);
    let memory = grown * 1024.0 / users as f64;
    figure::value("redirector_memory_both", memory, "KB", Goal::Most(16.0));
    Ok(())
}

/// As many sessions as file descriptors allow.
fn most(certificates: &Certificates, load: &Load) -> Result<(), String> {
    let server: Server = peers::start(Kind::Transom, certificates.ecdsa(), load.host())?;
    let mut failed = 0;
    let before = cpu::tree_pss_mb(server.pid());
    let sessions = load.connect(server.port, MOST, &mut failed);
    let grown = cpu::tree_pss_mb(server.pid()) - before;
    let connected = sessions.len();
    let played = load.play(sessions, Duration::from_secs(3), &mut failed);
    let there = connected.saturating_sub(failed) as f64;
    figure::value("redirector_sessions_most", there, "1", Goal::Least(9_000.0));
    let each = grown * 1024.0 / connected.max(1) as f64;
    figure::value("redirector_memory_most", each, "KB", Goal::Most(10.0));
    figure::value(
        "redirector_screens_most",
        played.screens as f64 / 3.0,
        "1/s",
        Goal::None,
    );
    Ok(())
}

/// Clients that come and go leave nothing: sessions, resets, garbage.
fn come_and_go(
    certificates: &Certificates,
    load: &Load,
    failures: &mut usize,
) -> Result<(), String> {
    let server = peers::start(Kind::Transom, certificates.ecdsa(), load.host())?;
    let (first, all) = match quick() {
        true => (1_000, 5_000),
        false => (10_000, 100_000),
    };
    load.come_and_go(server.port, first, failures);
    let (memory, open) = at_rest(server.pid());
    load.come_and_go(server.port, all, failures);
    let (memory_now, open_now) = at_rest(server.pid());
    figure::value("redirector_cycles", all as f64, "1", Goal::None);
    let more = open_now as f64 - open as f64;
    figure::value("redirector_cycles_descriptors", more, "1", Goal::Most(0.0));
    let grown = (memory_now - memory) * 1024.0;
    figure::value("redirector_cycles_memory", grown, "KB", Goal::Most(1024.0));
    Ok(())
}

/// User memory and descriptors once sessions of before have ended.
fn at_rest(pid: u32) -> (f64, usize) {
    let open = || std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let (mut last, until) = (open(), Instant::now() + Duration::from_secs(30));
    loop {
        std::thread::sleep(Duration::from_secs(2));
        let now = open();
        if now == last || Instant::now() > until {
            return (cpu::tree_pss_mb(pid), now);
        }
        last = now;
    }
}
