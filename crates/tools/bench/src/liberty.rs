//! Open Liberty with a hand-written servlet, as a peer: `LIBERTY=1`.

use crate::servers::{self, Server};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the bench's `run` script unpacked Open Liberty and built the servlet.
const HOME: &str = "bench/out/liberty/wlp";

/// Starts it. The error says why there is none.
pub(crate) fn start() -> Result<Server, String> {
    if std::env::var_os("LIBERTY").is_none_or(|v| v != "1") {
        return Err("LIBERTY=1 not set".to_owned());
    }
    let home = PathBuf::from(HOME)
        .canonicalize()
        .map_err(|_| "Open Liberty is not unpacked".to_owned())?;
    let port = servers::free_port()?;
    write_config(&home, port)?;
    let mut command = Command::new(home.join("bin/server"));
    command
        .args(["run", "bench"])
        .env("JVM_ARGS", "-Xms512m -Xmx512m");
    servers::start(command, port, None)
}

fn write_config(home: &Path, port: u16) -> Result<(), String> {
    let file = home.join("usr/servers/bench/server.xml");
    let text = format!(
        "<server><featureManager><feature>servlet-4.0</feature></featureManager>\n\
         <httpEndpoint id=\"defaultHttpEndpoint\" host=\"127.0.0.1\" httpPort=\"{port}\" httpsPort=\"-1\"/>\n\
         <httpOptions maxKeepAliveRequests=\"-1\"/>\n\
         <webApplication location=\"bench.war\" contextRoot=\"/bench\"/></server>\n"
    );
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
}
