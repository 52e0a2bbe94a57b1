//! What waking processors costs: two bare processes that hand a byte to and fro.
//!
//! What: one process waits at a socket, hands each byte to the other and its answer back, at the
//! rate of a paced run; nothing else is done. Why: at a thousand screens a second most of a
//! screen's cost is that of waking a door and a worker, which no program can save; the floor says
//! how much.
//! Not here: screens.

use crate::cpu;
use crate::servers::{self, Server};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// CPU milliseconds of both processes for a byte, at so many bytes a second.
pub(crate) fn per_byte(rate: u32, lasts: Duration) -> Result<f64, String> {
    let text = |e: std::io::Error| e.to_string();
    let (server, mut socket) = start()?;
    let each = Duration::from_secs(1) / rate.max(1);
    let mut byte = [0; 1];
    let (begin, before) = (Instant::now(), cpu::tree_seconds(server.pid()));
    let mut bytes = 0;
    while begin.elapsed() < lasts {
        socket.write_all(&byte).map_err(text)?;
        socket.read_exact(&mut byte).map_err(text)?;
        bytes += 1;
        std::thread::sleep((begin + each * bytes).saturating_duration_since(Instant::now()));
    }
    let spent = cpu::tree_seconds(server.pid()) - before;
    Ok(spent * 1e3 / f64::from(bytes.max(1)))
}

fn start() -> Result<(Server, TcpStream), String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let port = servers::free_port()?;
    let mut command = Command::new(own);
    command.arg("floor-door").arg(port.to_string());
    let server = servers::start(command, port, None)?;
    let socket = TcpStream::connect(("127.0.0.1", port)).map_err(|e| e.to_string())?;
    socket.set_nodelay(true).map_err(|e| e.to_string())?;
    Ok((server, socket))
}

/// The process at the socket.
pub(crate) fn door(port: &str) -> Result<(), String> {
    let text = |e: std::io::Error| e.to_string();
    let port: u16 = port.parse().map_err(|_| "no port")?;
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(text)?;
    let own = std::env::current_exe().map_err(text)?;
    let worker = Command::new(own)
        .arg("floor-worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(text)?;
    let (Some(mut there), Some(mut back)) = (worker.stdin, worker.stdout) else {
        return Err("the worker has no pipes".to_owned());
    };
    let mut byte = [0; 1];
    // The first connection asks whether the port answers, and ends.
    for socket in listener.incoming().take(2) {
        let mut socket = socket.map_err(text)?;
        socket.set_nodelay(true).map_err(text)?;
        while socket.read_exact(&mut byte).is_ok() {
            there.write_all(&byte).map_err(text)?;
            back.read_exact(&mut byte).map_err(text)?;
            socket.write_all(&byte).map_err(text)?;
        }
    }
    Ok(())
}

/// The process behind it.
pub(crate) fn worker() -> Result<(), String> {
    let text = |e: std::io::Error| e.to_string();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut byte = [0; 1];
    while input.read_exact(&mut byte).is_ok() {
        output.write_all(&byte).map_err(text)?;
        output.flush().map_err(text)?;
    }
    Ok(())
}
