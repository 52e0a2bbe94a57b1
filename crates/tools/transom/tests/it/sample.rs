//! The R1 sample through the executable: values, errors, kills, the whole life of a server.

use crate::harness::{Running, copy_of, root, transom};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

fn put(server: &Running, size: &str, count_out: u32) -> (u16, String) {
    let body = format!(
        "{{\"COMM{}Operation\":{{\"count_out\":{count_out}}}}}",
        size.to_uppercase()
    );
    server.request(
        "PUT",
        &format!("/comm{size}/mapping/CABASIC-RS2/1"),
        body.as_bytes(),
    )
}

#[test]
fn figure_3_comes_back_and_the_server_stops_cleanly() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let (status, body) = put(&server, "1k", 32);
    assert_eq!(status, 200, "{body}\n{}", server.said());
    assert!(body.starts_with("{\"COMM1KOperationResponse\":{"), "{body}");
    for i in 1..=31 {
        let element = format!("{{\"user_data\":\"{i:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-\"}}");
        assert!(body.contains(&element), "{element} is not in {body}");
    }
    for part in [
        "\"tranid\":\"BBO#\"",
        "\"rs_spare\":\"\"",
        "\"recv_size\":0",
        "\"send_size\":1024",
        "\"taskid\":",
    ] {
        assert!(body.contains(part), "{part} is not in {body}");
    }
    for (size, count, elements) in [("4k", 128, 127), ("8k", 256, 255), ("16k", 512, 511)] {
        let (status, body) = put(&server, size, count);
        assert_eq!(status, 200, "{body}");
        assert_eq!(body.matches("{\"user_data\":").count(), elements);
    }
    let (status, body) = server.request("GET", "/comm1k/api-docs", b"");
    assert!(
        status == 200
            && body.contains("\"swagger\"")
            && body.contains("/mapping/CABASIC-RS2/{countIn}"),
        "{body}"
    );
    assert!(server.stop(), "the region did not stop cleanly");
}

#[test]
fn bad_input_gets_a_clear_error() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let path = "/comm1k/mapping/CABASIC-RS2/1";
    for (body, why) in [
        (&b"{"[..], "cut off"),
        (
            b"{\"COMM1KOperation\":{\"count_out\":\"many\"}}",
            "not a number",
        ),
        (
            b"{\"COMM1KOperation\":{\"count_out\":123456789}}",
            "too many digits",
        ),
        (b"{\"COMM1KOperation\":{\"count_out\":-1}}", "negative"),
        (b"[]", "not an object"),
        (b"\xff\xfe", "not UTF-8"),
    ] {
        let (status, reply) = server.request("PUT", path, body);
        assert_eq!(status, 400, "{why}: {reply}");
        assert!(reply.contains("\"errorMessage\":\"BAQR"), "{why}: {reply}");
    }
    let (status, reply) = server.request(
        "PUT",
        "/comm1k/mapping/CABASIC-RS2/notanumber",
        b"{\"COMM1KOperation\":{\"count_out\":32}}",
    );
    assert_eq!(status, 400, "{reply}");
    assert_eq!(server.request("PUT", "/nowhere/at/all", b"{}").0, 404);
    assert_eq!(server.request("DELETE", path, b"").0, 405);
    assert_eq!(server.request("PUT", path, &vec![b' '; 8 << 20]).0, 413);
    assert_eq!(put(&server, "1k", 32).0, 200);
    assert!(server.stop());
}

#[test]
fn killed_workers_are_replaced_and_the_region_serves_on() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    assert_eq!(put(&server, "1k", 32).0, 200);
    for _ in 0..10 {
        for pid in workers(server.pid()) {
            Command::new("kill")
                .args(["-KILL", &pid.to_string()])
                .status()
                .unwrap();
        }
        let (status, body) = put(&server, "1k", 32);
        assert_eq!(status, 200, "{body}\n{}", server.said());
    }
    assert!(server.stop());
}

/// Grandchildren of the region: children of its zygote.
fn workers(region: u32) -> Vec<u32> {
    let children = |parent: u32| -> Vec<u32> {
        let list = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"))
            .unwrap_or_default();
        list.split_whitespace()
            .filter_map(|p| p.parse().ok())
            .collect()
    };
    children(region).into_iter().flat_map(children).collect()
}

#[test]
fn only_what_changed_is_compiled_and_errors_name_the_users_line() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let (good, out, said) = transom(&["build", "."], &dir);
    assert!(good && out.contains("1 compiled"), "{out}{said}");
    let (_, out, _) = transom(&["build", "."], &dir);
    assert!(out.contains("0 compiled"), "{out}");
    let source = dir.join("cobol/CABASIC.cbl");
    let text = std::fs::read_to_string(&source).unwrap();
    let line = text
        .lines()
        .position(|l| l.contains("MOVE EIBTRNID"))
        .unwrap()
        + 1;
    std::fs::write(
        &source,
        text.replace("MOVE EIBTRNID    TO TRANID", "MOVE EIBTRNIX    TO TRANID"),
    )
    .unwrap();
    let (good, _, said) = transom(&["check", "."], &dir);
    assert!(
        !good && said.contains(&format!("cobol/CABASIC.cbl:{line}")),
        "{said}"
    );
    std::fs::write(
        &source,
        text.replace("EXEC CICS RETURN END-EXEC", "EXEC CICS RETRUN END-EXEC"),
    )
    .unwrap();
    let (good, _, said) = transom(&["check", "."], &dir);
    assert!(
        !good && said.contains("RETURN") && said.contains("TXMTR"),
        "{said}"
    );
}

#[test]
fn toolkit_output_of_the_sample_is_what_is_committed() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let (good, out, said) = transom(&["check", "."], &dir);
    assert!(good, "{out}{said}");
    for size in ["1k", "4k", "8k", "16k"] {
        let api = dir.join(format!("resources/zosconnect/apis/comm{size}.aar"));
        let before = std::fs::read(&api).unwrap();
        let (good, _, said) = transom(&["ls2js", &format!("toolkit/comm{size}.ls2js")], &dir);
        assert!(good, "{said}");
        let args = [
            "api",
            "build",
            &format!("toolkit/comm{size}-api.yaml"),
            "-o",
            api.to_str().unwrap(),
        ];
        let (good, _, said) = transom(&args, &dir);
        assert!(good, "{said}");
        assert_eq!(std::fs::read(&api).unwrap(), before, "comm{size}.aar");
        let bind = format!("bindfiles/comm{size}.wsbind");
        let committed =
            std::fs::read_to_string(root().join("samples/gateway").join(&bind)).unwrap();
        assert_eq!(std::fs::read_to_string(dir.join(&bind)).unwrap(), committed);
    }
}

/// Megabytes of the region process that are no pages of files.
fn anonymous_mb(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
    let line = rollup
        .lines()
        .find_map(|line| line.strip_prefix("Anonymous:"));
    let kb: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kb / 1024
}

#[test]
fn memory_of_connections_that_are_gone_returns() {
    const CONNECTIONS: usize = 800;
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let body = "{\"COMM16KOperation\":{\"count_out\":512}}";
    let request = format!(
        "PUT /comm16k/mapping/CABASIC-RS2/1 HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let answered = |mut socket: TcpStream| {
        socket.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        socket.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        socket
    };
    let connect = |_| answered(TcpStream::connect(("127.0.0.1", server.port)).unwrap());
    // Not the first of everything, which stays.
    (0..20).map(connect).for_each(drop);
    let before = anonymous_mb(server.pid());
    let open: Vec<TcpStream> = (0..CONNECTIONS).map(connect).collect();
    let most = anonymous_mb(server.pid());
    assert!(most > before + 4, "{before} MB, {most} MB with connections");
    drop(open);
    let begin = Instant::now();
    while anonymous_mb(server.pid()) > before + (most - before) / 2 {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{before}, {most}"
        );
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(server.stop());
}
