//! A small blocking HTTP/1.1 client that hides nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A reply as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, v)| v.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// A keep-alive connection.
pub(crate) struct Client<S> {
    stream: BufReader<S>,
}

impl Client<TcpStream> {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.set_nodelay(true).unwrap();
        Self::over(stream)
    }
}

impl<S: Read + Write> Client<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self {
            stream: BufReader::new(stream),
        }
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: gateway.localhost:2222\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        self.raw(&[head.as_bytes(), body].concat()).unwrap();
        self.read(method).unwrap()
    }

    pub(crate) fn json(&mut self, method: &str, path: &str, body: &str) -> Reply {
        self.send(
            method,
            path,
            &[("Content-Type", "application/json")],
            body.as_bytes(),
        )
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn read(&mut self, method: &str) -> std::io::Result<Reply> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|s| s.trim().parse().ok())
            .expect("a status");
        let mut headers = Vec::new();
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut reply = Reply {
            status,
            headers,
            body: Vec::new(),
        };
        let length = reply
            .header("content-length")
            .map_or(0, |l| l.parse().unwrap());
        if method != "HEAD" && status >= 200 {
            reply.body.resize(length, 0);
            self.stream.read_exact(&mut reply.body)?;
        }
        Ok(reply)
    }

    /// True once the server has closed.
    pub(crate) fn closed(&mut self) -> bool {
        matches!(self.stream.read(&mut [0]), Ok(0) | Err(_))
    }
}

/// One request on a connection of its own.
pub(crate) fn once(address: SocketAddr, method: &str, path: &str, body: &str) -> Reply {
    Client::connect(address).json(method, path, body)
}
