//! The bench peer: the same HTTP stack, no gateway behind it.
//!
//! `constant PORT` answers every request with one fixed JSON body, read from the request's first
//! path segment: `comm1k`, `comm4k`, `comm8k` or `comm16k` (31, 127, 255, 511 elements). What the
//! gateway costs beyond this is the gateway.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

const SIZES: [(&str, usize); 4] = [
    ("/comm16k/", 511),
    ("/comm8k/", 255),
    ("/comm4k/", 127),
    ("/", 31),
];

fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args()
        .nth(1)
        .and_then(|p| p.parse().ok())
        .unwrap_or(2229);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve(port))
}

async fn serve(port: u16) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}", listener.local_addr()?);
    let bodies: &'static [(&str, Bytes)] =
        Box::leak(SIZES.map(|(path, elements)| (path, body(elements))).into());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = service_fn(move |request| answer(bodies, request));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}

async fn answer(
    bodies: &'static [(&str, Bytes)],
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path();
    let found = bodies.iter().find(|(prefix, _)| path.starts_with(prefix));
    let body = found.map(|(_, body)| body.clone()).unwrap_or_default();
    // The request's body is read like the gateway reads it.
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(body));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// R1's Figure 3 with this many elements.
fn body(elements: usize) -> Bytes {
    let kilobytes = (elements + 1) / 32;
    let mut json = format!(
        "{{\"COMM{kilobytes}KOperationResponse\":{{\"recv_size\":0,\"send_size\":{},\"taskid\":181,\
         \"tranid\":\"BBO#\",\"rs_spare\":\"\",\"user_data\":[",
        (elements + 1) * 32
    );
    for number in 1..=elements {
        let comma = if number == 1 { "" } else { "," };
        let _ = write!(
            json,
            "{comma}{{\"user_data\":\"{number:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-\"}}"
        );
    }
    json.push_str("]}}");
    json.into()
}
