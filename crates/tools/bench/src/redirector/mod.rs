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
use crate::runs::{median, quick};
use crate::servers::Server;
use load::Load;
use peers::{Certificates, Kind};
use std::collections::BTreeMap;
use std::time::Duration;

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

fn screens(users: usize, taken: &BTreeMap<Kind, Taken>) {
    let Some(own) = taken.get(&Kind::Transom) else {
        return;
    };
    let peers = || taken.iter().filter(|(kind, _)| **kind != Kind::Transom);
    let per_second = |taken: &Taken| 1e3 / median(taken.handshake_ms.clone()).max(1e-9);
    let goal = |kind: &Kind, goal| match kind {
        Kind::Haproxy => goal,
        _ => Goal::None,
    };
    for (kind, peer) in peers() {
        let (own_ms, peer_ms) = (
            median(own.screen_ms.clone()),
            median(peer.screen_ms.clone()),
        );
        let name = format!("redirector_cpu_screen_{users}");
        figure::ratio(
            &name,
            own_ms,
            "ms",
            (kind.name(), peer_ms),
            goal(kind, Goal::Most(0.6)),
        );
    }
    for (kind, peer) in peers() {
        let name = format!("redirector_handshakes_ecdsa_{users}");
        let other = (kind.name(), per_second(peer));
        figure::ratio(
            &name,
            per_second(own),
            "1/cpu-s",
            other,
            goal(kind, Goal::Least(1.5)),
        );
    }
    for (kind, peer) in peers() {
        let (own_us, peer_us) = (median(own.p50_us.clone()), median(peer.p50_us.clone()));
        let name = format!("redirector_p50_{users}");
        figure::ratio(
            &name,
            own_us,
            "us",
            (kind.name(), peer_us),
            goal(kind, Goal::Most(1.0)),
        );
    }
    let memory = median(own.memory_kb.clone());
    let name = format!("redirector_memory_client_tls_{users}");
    figure::value(&name, memory, "KB", Goal::Most(10.0));
    for (kind, peer) in peers() {
        let other = (kind.name(), median(peer.memory_kb.clone()));
        figure::ratio(&name, memory, "KB", other, Goal::None);
    }
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
    let per_second = |times: Vec<f64>| 1e3 / median(times).max(1e-9);
    let peer = ("haproxy", per_second(peer_ms));
    let (name, own) = ("redirector_handshakes_rsa", per_second(own_ms));
    figure::ratio(name, own, "1/cpu-s", peer, Goal::Least(1.1));
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
