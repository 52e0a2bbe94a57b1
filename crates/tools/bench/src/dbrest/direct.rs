//! Peer: the service of R3 written by hand, SQLite in its process, HTTP read and written here.
//!
//! Why so bare: it is what the same rows as JSON cost at least. Not here: errors of clients, TLS,
//! a service manager, an API.

use rusqlite::{Connection, types::ValueRef};
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Its table in SQLite's words.
const TABLE: &str = "CREATE TABLE EMP (EMPNO TEXT PRIMARY KEY, FIRSTNME TEXT, MIDINIT TEXT, \
    LASTNAME TEXT, WORKDEPT TEXT, PHONENO TEXT, HIREDATE TEXT, JOB TEXT, EDLEVEL INTEGER, SEX TEXT, \
    BIRTHDATE TEXT, SALARY REAL, BONUS REAL, COMM REAL); CREATE INDEX XEMP2 ON EMP (WORKDEPT);";
const QUERY: &str = "SELECT * FROM EMP WHERE WORKDEPT LIKE ?1 ORDER BY LASTNAME";

/// Makes the table with the rows of a script.
pub(super) fn load(script: &Path, file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(script).map_err(|e| e.to_string())?;
    let rows = text.lines().filter(|line| line.starts_with("INSERT INTO"));
    let rows: Vec<String> = rows.map(|row| row.replace("DSN8C10.EMP", "EMP")).collect();
    let all = format!("BEGIN; {TABLE} {} COMMIT;", rows.join("\n"));
    let connection = Connection::open(file).map_err(|e| e.to_string())?;
    connection.execute_batch(&all).map_err(|e| e.to_string())
}

/// `db2rest-reader FILE PORT`: serves until it is ended.
pub(crate) fn run(file: &str, port: &str) -> Result<(), String> {
    let port: u16 = port.parse().map_err(|_| "a port is expected")?;
    let connection = Rc::new(Connection::open(file).map_err(|e| e.to_string())?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.map_err(|e| e.to_string())?;
        loop {
            let (socket, _) = listener.accept().await.map_err(|e| e.to_string())?;
            let connection = connection.clone();
            tokio::task::spawn_local(async move {
                // A client that goes away ends its connection only.
                let _ended = serve(socket, &connection).await;
            });
        }
    })
}

async fn serve(mut socket: TcpStream, connection: &Connection) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    let (mut request, mut reply) = (Vec::new(), String::new());
    loop {
        request.clear();
        while !request.ends_with(b"\r\n\r\n") {
            if socket.read_buf(&mut request).await? == 0 {
                return Ok(());
            }
        }
        let text = String::from_utf8_lossy(&request);
        let like = text.split("workDept=").nth(1).unwrap_or_default();
        let like = like
            .split(' ')
            .next()
            .unwrap_or_default()
            .replace("%25", "%");
        let closes = text.to_ascii_lowercase().contains("connection: close");
        let body = rows(connection, &like).map_err(std::io::Error::other)?;
        reply.clear();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
        let _infallible = write!(reply, "{head}{}\r\n\r\n{body}", body.len());
        socket.write_all(reply.as_bytes()).await?;
        if closes {
            return Ok(());
        }
    }
}

fn rows(connection: &Connection, like: &str) -> rusqlite::Result<String> {
    let mut out = String::from("{\"ResultSet Output\":[");
    let mut statement = connection.prepare_cached(QUERY)?;
    let names: Vec<String> = statement
        .column_names()
        .iter()
        .map(|n| (*n).to_owned())
        .collect();
    let mut rows = statement.query([like])?;
    while let Some(row) = rows.next()? {
        out.push_str(if out.ends_with('[') { "{" } else { ",{" });
        for (n, name) in names.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            let _infallible = match row.get_ref(n)? {
                ValueRef::Integer(value) => write!(out, "{comma}\"{name}\":{value}"),
                ValueRef::Real(value) => write!(out, "{comma}\"{name}\":{value:.2}"),
                ValueRef::Text(text) => {
                    let text = String::from_utf8_lossy(text);
                    write!(out, "{comma}\"{name}\":\"{text}\"")
                }
                _ => write!(out, "{comma}\"{name}\":null"),
            };
        }
        out.push('}');
    }
    out.push_str("],\"StatusCode\":200,\"StatusDescription\":\"Execution Successful\"}");
    Ok(out)
}
