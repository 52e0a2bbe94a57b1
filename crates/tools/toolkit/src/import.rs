//! `service import`: a REST service of a Db2 service manager as a service archive.
//!
//! What: asks the manager for the details of the service and puts its schemas and its path into an
//! archive of the REST client provider. Not here: what is in an archive (`formats/apidef`), TLS.

use crate::files::write;
use crate::output::Output;
use clap::Args;
use serde_json::Value;
use std::io::{BufRead, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;
use transom_apidef::toolkit::{RestService, build_rest_service};
use transom_messages as messages;

/// How long the manager may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest answer, bytes.
const ANSWER_BYTES: u64 = 16 << 20;

/// Which service, and where.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Host of the service manager
    #[arg(long, default_value = "localhost")]
    host: String,
    /// Its HTTP port
    #[arg(long)]
    port: u16,
    /// Collection of the service
    #[arg(long, default_value = "SYSIBMSERVICE")]
    collection: String,
    /// Name of the service
    #[arg(long)]
    service: String,
    /// Its version; default: its default version, whichever that is when it is called
    #[arg(long)]
    version: Option<String>,
    /// User to ask as
    #[arg(long)]
    user: Option<String>,
    /// Identifier of the connection in server.xml
    #[arg(long, default_value = "db2Connection")]
    connection: String,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

/// Runs it.
///
/// # Errors
/// The manager does not answer, or has no such service.
pub(crate) fn import(args: &ImportArgs, out: Output) -> Result<(), String> {
    let failed = |why: &dyn std::fmt::Display| {
        let place = format!("{}:{}", args.host, args.port);
        messages::ad::not_imported(&args.service, place, why).to_string()
    };
    let mut uri = format!("/services/{}/{}", args.collection, args.service);
    if let Some(version) = &args.version {
        uri += &format!("/{version}");
    }
    let good = |c: char| c.is_ascii_graphic() && !matches!(c, '%' | '?' | '#' | '"');
    if !uri.chars().all(good) {
        return Err(failed(&"its name cannot stand in a path"));
    }
    let (status, text) = get(args, &uri).map_err(|e| failed(&e))?;
    let answer: Value = serde_json::from_str(&text).map_err(|e| failed(&e))?;
    let details = &answer[&args.service];
    if status != 200 || !details.is_object() {
        let why = answer["StatusDescription"].as_str();
        return Err(failed(&why.unwrap_or("it answers otherwise than Db2")));
    }
    let service = RestService {
        name: args.service.clone(),
        version: details["version"].as_str().unwrap_or("1.0.0").to_owned(),
        description: details["serviceDescription"]
            .as_str()
            .unwrap_or("")
            .to_owned(),
        connection: args.connection.clone(),
        verb: "POST".to_owned(),
        uri,
        request: details["RequestSchema"].clone(),
        response: details["ResponseSchema"].clone(),
    };
    let bytes = build_rest_service(&service).map_err(|p| p.id_first().to_string())?;
    write(&args.output, &bytes)?;
    let file = args.output.display();
    out.print(&format!("service {}: {file}\n", args.service));
    Ok(())
}

/// One request; status and body.
fn get(args: &ImportArgs, path: &str) -> std::io::Result<(u16, String)> {
    let mut stream = None;
    for address in (args.host.as_str(), args.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(connected) => {
                stream = Some(connected);
                break;
            }
            Err(error) => drop(error),
        }
    }
    let refused = || std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
    let mut stream = stream.ok_or_else(refused)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = format!(
        "GET {path} HTTP/1.0\r\nHost: {}:{}\r\nAccept: application/json\r\n",
        args.host, args.port
    );
    if let Some(user) = &args.user {
        let mut password = String::new();
        std::io::stdin().lock().read_line(&mut password)?;
        let text = format!("{user}:{}", password.trim_end_matches(['\r', '\n']));
        head += &format!("Authorization: Basic {}\r\n", base64(text.as_bytes()));
    }
    stream.write_all((head + "\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES).read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Ok((status.unwrap_or(0), body.to_owned()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let byte = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * n) & 63) as usize];
            out.push(if n <= three.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn credentials_are_base64() {
        assert_eq!(base64(b"ibmuser:SYS1"), "aWJtdXNlcjpTWVMx");
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"a"), "YQ==");
    }
}
