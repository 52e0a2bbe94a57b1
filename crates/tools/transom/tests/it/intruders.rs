//! What keeps intruders out of a region that runs: checks that are never switched off by accident,
//! users who are revoked, names that are nobody's, passwords that are guessed.

use crate::desk::Desk;
use crate::harness::{EXE, Programs, Running, copy_of, root};
use crate::terminals::{User, program, transactions};
use crate::users::user;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use transom_security::{PasswordRules, Secret, User as Known, UserFile};
use transom_settings::PresetPlace;
use transom_types::{ClientCertificate, TermId, UserId};
use transom_wire::definitions::TerminalDefinition;

/// Longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
const PUT: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &[u8] = b"{\"COMM1KOperation\":{\"count_out\":32}}";

/// Waits until something is so.
fn until(what: &str, so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The sample with users of the gateway, whose passwords are their names; `rules` of the region.
pub(crate) fn secured(users: &[&str], rules: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let xml = std::fs::read_to_string(dir.join("server.xml")).unwrap();
    let users: String = users
        .iter()
        .map(|name| format!("<user name=\"{name}\" password=\"{name}\"/>"))
        .collect();
    let registry = format!(
        "<basicRegistry id=\"r\" realm=\"r\">{users}</basicRegistry><authorization-roles id=\"z\">\
         <security-role name=\"zosConnectAccess\"><special-subject type=\"ALL_AUTHENTICATED_USERS\"/>\
         </security-role></authorization-roles></server>"
    );
    let xml = xml
        .replace("</server>", &registry)
        .replace("requireAuth=\"false\"", "requireAuth=\"true\"");
    std::fs::write(dir.join("server.xml"), xml).unwrap();
    add_to_toml(&dir, rules);
    (folder, dir)
}

pub(crate) fn add_to_toml(dir: &Path, more: &str) {
    let file = dir.join("transom.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, format!("{text}\n{more}")).unwrap();
}

pub(crate) fn basic(name: &str, password: &str) -> String {
    use base64::Engine as _;
    let pair = base64::engine::general_purpose::STANDARD.encode(format!("{name}:{password}"));
    format!("Basic {pair}")
}

fn put(server: &Running, name: &str) -> (u16, String) {
    let basic = basic(name, name);
    let headers = [
        ("content-type", "application/json"),
        ("authorization", &basic),
    ];
    server.request_with("PUT", PUT, &headers, BODY)
}

const ONLY_ALICE: &str = "[authority]\n\"TRANSACTION BBO#\" = \"ALICE READ\"\n";

#[test]
fn a_region_that_had_users_does_not_start_without_checks() {
    let (_folder, dir) = secured(&["bob"], ONLY_ALICE);
    let open = Running::start(&dir);
    until("the start says that nothing is checked", || {
        open.said().contains("TXMXS0029W authority is not checked")
    });
    assert_eq!(put(&open, "bob").0, 200);
    assert!(open.stop());
    assert!(user(&dir, &["add", "alice"], "secret\n").0);
    let closed = Running::start(&dir);
    assert_eq!(put(&closed, "bob").0, 403, "{}", closed.said());
    assert!(closed.stop());
    std::fs::remove_file(dir.join("users.toml")).unwrap();
    let closed = Running::start(&dir);
    until("the start says that there are no users any more", || {
        closed.said().contains("TXMXS0022E")
    });
    assert_eq!(put(&closed, "bob").0, 403, "{}", closed.said());
    assert!(closed.stop());
    std::fs::write(dir.join("users.toml"), "[[user]\n").unwrap();
    let closed = Running::start(&dir);
    assert_eq!(put(&closed, "bob").0, 403, "{}", closed.said());
    assert!(closed.stop());
}

#[test]
fn a_region_without_checks_serves_this_machine_alone() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    add_to_toml(&dir, "[terminals]\naddress = \"0.0.0.0\"\n");
    let port = crate::harness::free_port().to_string();
    let run = || {
        let mut command = Command::new(EXE);
        command.arg("run").arg(&dir).args(["--tn3270", &port]);
        command
    };
    let told = run().output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr);
    assert!(!told.status.success(), "{text}");
    let expected = "TXMXS0030E the TN3270 listener would serve other machines";
    assert!(text.contains(expected), "{text}");
    // check foresees it.
    add_to_toml(&dir, &format!("port = {port}\n"));
    let told = Command::new(EXE).arg("check").arg(&dir).output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr);
    assert!(!told.status.success() && text.contains(expected), "{text}");
    // Once written it is so.
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    let toml = toml.replace("[region]\n", "[region]\nSEC = \"NO\"\n");
    std::fs::write(dir.join("transom.toml"), toml).unwrap();
    let open = Running::start_with(&dir, &["--tn3270", &port]);
    until("the start says that nothing is checked", || {
        open.said()
            .contains("TXMXS0029W authority is not checked (SEC=NO)")
    });
    assert!(open.stop());
}

/// It has nothing to do with security but that a start is refused here, too.
#[test]
fn a_start_that_fails_leaves_what_an_orderly_end_has_kept() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    assert!(Running::start(&dir).stop());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = Command::new(EXE);
    command.arg("run").arg(&dir).args(["--tn3270", &port]);
    let told = command.output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr);
    assert!(
        !told.status.success() && text.contains("TXMTC0001E"),
        "{text}"
    );
    let again = Running::start(&dir);
    let said = again.said();
    assert!(!said.contains("TXMTS0006I"), "an emergency start: {said}");
    assert!(again.stop());
}

/// Users with the password `secret`.
fn users(folder: &Path, all: &[&str]) -> UserFile {
    let file = UserFile::new(&folder.join("users.toml"), PasswordRules::default());
    for name in all {
        let user = Known {
            userid: (*name).into(),
            ..Known::default()
        };
        file.put(&user, &Secret::password(b"secret"), false)
            .unwrap();
    }
    file
}

#[test]
fn a_rebuild_without_the_file_of_users_switches_nothing_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("users.toml");
    let file = UserFile::new(&path, PasswordRules::default());
    let root = Known {
        userid: "ROOT".into(),
        groups: vec!["SYSADM".into()],
        ..Known::default()
    };
    file.put(&root, &Secret::password(b"secret"), false)
        .unwrap();
    let programs = Programs::with(&[], |config| config.users.file = Some(path.clone()));
    let mut root = Desk::new(&programs);
    root.run("CESN USERID=ROOT,PS=secret");
    std::fs::rename(&path, folder.path().join("away")).unwrap();
    let rebuilt = root.run("CEMT PERFORM SECURITY REBUILD");
    assert!(!rebuilt.contains("TXMMT0014I"), "{rebuilt}");
    let mut nobody = Desk::new(&programs);
    let refused = nobody.run("CEDA DISPLAY GROUP(*)");
    assert!(refused.contains("TXMAC2033E"), "{refused}");
    let log = programs.log.lock().unwrap().clone();
    assert!(log.contains("TXMXS0023E"), "{log}");
    // Nor does a file that is no such file.
    std::fs::write(&path, "nonsense").unwrap();
    root.press("PF3");
    root.run("CEMT PERFORM SECURITY REBUILD");
    let refused = nobody.run("CEDA DISPLAY GROUP(*)");
    assert!(refused.contains("TXMAC2033E"), "{refused}");
}

#[test]
fn a_revoked_user_loses_requests_and_gets_them_back() {
    let (_folder, dir) = secured(&["alice", "carol"], "");
    for name in ["alice", "carol"] {
        assert!(user(&dir, &["add", name], "secret\n").0);
    }
    let server = Running::start(&dir);
    assert_eq!(put(&server, "alice").0, 200, "{}", server.said());
    assert!(user(&dir, &["revoke", "alice"], "").0);
    until("alice is refused", || put(&server, "alice").0 == 403);
    assert_eq!(put(&server, "carol").0, 200);
    assert!(
        server.said().contains("TXMXS0026W ALICE"),
        "{}",
        server.said()
    );
    assert!(user(&dir, &["restore", "alice"], "").0);
    until("alice is let in again", || put(&server, "alice").0 == 200);
    assert!(server.stop());
}

#[test]
fn a_revoked_user_is_signed_off_and_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = users(folder.path(), &["ALICE", "BOB"]);
    let asks = program(
        "ASKSPGM",
        "01 WS-IN PIC X(20).\n01 WS-LEN PIC S9(4) COMP.",
        "EXEC CICS SEND TEXT FROM('ASKING') LENGTH(6) ERASE\n    FREEKB END-EXEC.\n\
         EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN)\n    RESP(RC) END-EXEC.\n\
         EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN)\n    RESP(RC) END-EXEC.\n\
         EXEC CICS RETURN TRANSID('ASKS') END-EXEC.",
    );
    let late = program(
        "LATEPGM",
        "",
        "EXEC CICS START TRANSID('NEXT') AFTER SECONDS(2)\n    USERID('BOB') RESP(RC) END-EXEC.\n\
         IF RC = DFHRESP(NORMAL) MOVE 'STARTED' TO CA-TEXT.\n\
         EXEC CICS RETURN END-EXEC.",
    );
    let next = program(
        "NEXTPGM",
        "",
        "DISPLAY 'NEXT RUNS'.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::with(&[&asks, &late, &next], |config| {
        config.users.file = Some(folder.path().join("users.toml"));
        let rules = &mut config.users.rules;
        rules.set("SURROGATE *", "ALL READ").unwrap();
        transactions(config, &[("ASKS", "ASKSPGM"), ("NEXT", "NEXTPGM")]);
    });
    // One is idle, another in a conversation.
    let mut idle = User::logon(&programs, Some("LUIDLE01"));
    let mut busy = User::logon(&programs, Some("LUBUSY01"));
    for user in [&mut idle, &mut busy] {
        user.enters("CESN USERID=BOB,PS=secret");
        user.shows("TXMCE3549I");
    }
    busy.enters("ASKS");
    busy.shows("ASKING");
    let said = programs.text("LATEPGM", &format!("{:40}", "0000"));
    assert_eq!(said, "0000STARTED", "{}", programs.log.lock().unwrap());
    file.set_revoked("BOB", true).unwrap();
    for user in [&mut idle, &mut busy] {
        user.shows("Type a transaction");
        user.enters("CESF");
        user.shows("TXMCE3592I");
    }
    let log = || programs.log.lock().unwrap().clone();
    until("the START request is refused", || {
        log().contains("TXMXS0020W BOB may not use transaction NEXT")
    });
    assert!(!log().contains("NEXT RUNS"), "{}", log());
    idle.enters("CESN USERID=BOB,PS=secret");
    idle.shows("TXMCE3532E");
}

#[test]
fn names_that_no_region_has_run_nothing() {
    let long = "operators-of-the-night";
    let (_folder, dir) = secured(&["alice", long], "");
    let server = Running::start(&dir);
    assert_eq!(put(&server, "alice").0, 200);
    let (status, body) = put(&server, long);
    assert_eq!(status, 403, "{body}");
    assert!(body.contains("1 to 8 letters"), "{body}");
    assert!(server.stop());
    // Two who would be one.
    let (_folder, dir) = secured(&["alice", "Alice"], "");
    let told = Command::new(EXE).arg("run").arg(&dir).output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr);
    assert!(!told.status.success(), "{text}");
    assert!(
        text.contains("users alice and Alice are the same"),
        "{text}"
    );
}

#[test]
fn groups_and_users_do_not_share_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    std::fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"CICSA\"\n").unwrap();
    assert!(user(dir, &["add", "alice", "--group", "clerks"], "secret\n").0);
    for (name, group) in [
        ("clerks", "X"),
        ("sysadm", "X"),
        ("bob", "alice"),
        ("eve", "eve"),
    ] {
        let (done, said) = user(dir, &["add", name, "--group", group], "secret\n");
        assert!(
            !done && said.starts_with("TXMXS0028E"),
            "{name} {group}: {said}"
        );
    }
    let (_folder, dir) = secured(
        &["sysadm", "alice"],
        "[authority]\n\"TRANSACTION BBO#\" = \"SYSADM READ, GROUP(CLERKS) READ\"\n",
    );
    assert!(user(&dir, &["add", "alice", "--group", "clerks"], "secret\n").0);
    let server = Running::start(&dir);
    assert_eq!(put(&server, "alice").0, 200, "{}", server.said());
    assert_eq!(put(&server, "sysadm").0, 403);
    assert!(server.stop());
}

#[test]
fn a_preset_user_needs_the_address_of_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let _file = users(folder.path(), &["ROOT"]);
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(folder.path().join("users.toml"));
        for (name, lu) in [("OPR1", "OPER0001"), ("OPR2", "OPER0002")] {
            let mut terminal = TerminalDefinition::new(TermId::new(name).unwrap(), lu);
            terminal.user = UserId::new("ROOT").ok();
            config.terminals.definitions.push(terminal);
        }
        // The tests' terminals come from 127.0.0.1.
        for (lu, network) in [("OPER0001", [127, 0, 0, 0]), ("OPER0002", [192, 0, 2, 0])] {
            config.terminals.preset_from.push(PresetPlace {
                lu: lu.into(),
                network: Ipv4Addr::from(network).into(),
                bits: 24,
            });
        }
    });
    for (lu, text) in [("OPER0001", "TXMCE3590I"), ("OPER0002", "TXMCE3592I")] {
        let mut user = User::logon(&programs, Some(lu));
        user.enters("CESF");
        user.shows(text);
    }
    let log = programs.log.lock().unwrap().clone();
    assert!(
        log.contains("TXMXS0031W OPR2 is not signed on as ROOT"),
        "{log}"
    );
}

fn certificate(name: &str) -> ClientCertificate {
    ClientCertificate {
        subject: format!("CN={name},O=Bank"),
        common_name: Some(name.to_owned()),
        fingerprint: [name.len() as u8; 32],
    }
}

#[test]
fn a_certificate_is_that_of_a_user_or_lets_nobody_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = users(folder.path(), &["ROOT", "BOB", "EVE"]);
    let print = certificate("by-print").fingerprint();
    for (user, text) in [
        ("ROOT", "CN=root,O=Bank"),
        ("BOB", "CN=bob,O=Bank"),
        ("BOB", &format!("sha256:{print}")),
        ("EVE", "CN=eve,O=Bank"),
    ] {
        file.set_certificate(user, text, false).unwrap();
    }
    let taken = file
        .set_certificate("EVE", "CN=bob,O=Bank", false)
        .unwrap_err();
    assert!(taken.line().starts_with("TXMXS0033E"), "{taken}");
    file.set_revoked("EVE", true).unwrap();
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(folder.path().join("users.toml"));
        let mut terminal = TerminalDefinition::new(TermId::new("OPR1").unwrap(), "OPER0001");
        terminal.user = UserId::new("ROOT").ok();
        config.terminals.definitions.push(terminal);
    });
    // The preset user of the LU is whoever has that user's certificate, and nobody else.
    for (name, text) in [
        ("root", "TXMCE3590I"),
        ("bob", "TXMCE3592I"),
        ("by-print", "TXMCE3592I"),
    ] {
        let mut user = User::certified(&programs, Some("OPER0001"), certificate(name));
        user.enters("CESF");
        user.shows(text);
        user.leaves();
    }
    let log = || programs.log.lock().unwrap().clone();
    for (name, told) in [
        (
            "mallory",
            "is that of no user: CN=mallory,O=Bank (sha256:0707",
        ),
        ("eve", "is that of EVE, who is revoked"),
    ] {
        let refused = User::refused(&programs, certificate(name));
        assert!(refused.starts_with("TXMXS0034E"), "{refused}");
        assert!(log().contains(told), "{}", log());
    }
    // What the file takes away counts in the region that runs.
    file.set_certificate("ROOT", "CN=root,O=Bank", true)
        .unwrap();
    until("the certificate is withdrawn", || {
        User::try_certified(&programs, Some("OPER0001"), certificate("root")).is_err()
    });
}

/// A request from an address of this machine: status.
fn from(address: [u8; 4], port: u16, authorization: &str) -> u16 {
    use socket2::{Domain, Socket, Type};
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let own = SocketAddr::from((address, 0));
    socket.bind(&own.into()).unwrap();
    let to = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    if socket.connect(&to.into()).is_err() {
        return 0;
    }
    let mut socket = std::net::TcpStream::from(socket);
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!(
        "PUT {PUT} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\
         content-type: application/json\r\nauthorization: {authorization}\r\n\r\n",
        BODY.len()
    );
    let _sent = socket.write_all(head.as_bytes());
    let _sent = socket.write_all(BODY);
    let mut reply = Vec::new();
    let _read = socket.read_to_end(&mut reply);
    let text = String::from_utf8_lossy(&reply);
    let status = text.split(' ').nth(1).and_then(|s| s.parse().ok());
    status.unwrap_or(0)
}

#[test]
fn who_sends_bogus_logons_holds_up_nobody_else() {
    let names: Vec<String> = (0..21).map(|n| format!("user{n}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let (_folder, dir) = secured(&all, "");
    let server = Running::start(&dir);
    let (stop, tried) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        let (stop, tried, server) = (&stop, &tried, &server);
        for worker in 0..64 {
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let n = tried.fetch_add(1, Ordering::Relaxed);
                    let name = format!("user{}", n % 40);
                    let _refused = from(
                        [127, 0, 0, 2],
                        server.port,
                        &basic(&name, &format!("{worker}")),
                    );
                }
            });
        }
        until("the flood has begun", || tried.load(Ordering::Relaxed) > 64);
        let mut slowest = Duration::ZERO;
        for name in &all[..20] {
            let begin = Instant::now();
            let status = from([127, 0, 0, 1], server.port, &basic(name, name));
            slowest = slowest.max(begin.elapsed());
            assert_eq!(status, 200, "{name}: {}", server.said());
        }
        stop.store(true, Ordering::Relaxed);
        println!(
            "slowest of 20 first logons beside {} bogus ones: {slowest:?}",
            tried.load(Ordering::Relaxed)
        );
        assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    });
    // Too many wrong ones for a name are not looked at any more, there.
    let wrong = || from([127, 0, 0, 2], server.port, &basic("user20", "wrong"));
    std::thread::scope(|scope| {
        let tries: Vec<_> = (0..12).map(|_| scope.spawn(wrong)).collect();
        let answers: Vec<u16> = tries.into_iter().map(|t| t.join().unwrap()).collect();
        assert!(
            answers.iter().all(|a| [401, 429].contains(a)),
            "{answers:?}"
        );
    });
    assert_eq!(
        from([127, 0, 0, 2], server.port, &basic("user20", "user20")),
        429
    );
    assert_eq!(
        from([127, 0, 0, 1], server.port, &basic("user20", "user20")),
        200
    );
    assert!(server.said().contains("TXMGW0016W"), "{}", server.said());
    assert!(server.stop());
}

/// `transom run` whose process may have few file descriptors.
fn with_few_descriptors(dir: &Path, port: u16, terminals: u16) -> std::process::Child {
    let run = format!(
        "ulimit -Sn 200; ulimit -Hn 1024; exec '{EXE}' run '{}' --http {port} --https {} --tn3270 {terminals}",
        dir.display(),
        crate::harness::free_port()
    );
    let mut command = Command::new("sh");
    let log = std::fs::File::create(dir.join("log.txt")).unwrap();
    command
        .args(["-c", &run])
        .stdout(std::process::Stdio::null());
    command.stderr(log).spawn().unwrap()
}

#[test]
fn a_thousand_sockets_of_one_client_starve_nobody() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server_xml = dir.join("server.xml");
    let text = std::fs::read_to_string(&server_xml).unwrap();
    let http_alone = text.replace("httpsPort=\"2223\"", "httpsPort=\"-1\"");
    assert_ne!(http_alone, text);
    std::fs::write(&server_xml, http_alone).unwrap();
    let (port, terminals) = (crate::harness::free_port(), crate::harness::free_port());
    let mut server = with_few_descriptors(&dir, port, terminals);
    let works = |address: [u8; 4]| from(address, port, "") == 200;
    until("the region serves", || works([127, 0, 0, 1]));
    let connect = |address: [u8; 4], port: u16| {
        use socket2::{Domain, Socket, Type};
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((address, 0)).into()).unwrap();
        socket
            .connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into())
            .unwrap();
        std::net::TcpStream::from(socket)
    };
    // Soft limits of this process are its own matter: what it cannot open is not opened.
    let idle: Vec<_> = (0..500)
        .flat_map(|_| {
            [
                connect([127, 0, 0, 2], port),
                connect([127, 0, 0, 2], terminals),
            ]
        })
        .collect();
    // Refused, and told so; of many at the same time only some are told.
    for (port, words) in [(port, "BAQR0424W"), (terminals, "TXMZC0011E")] {
        until(words, || {
            let mut socket = connect([127, 0, 0, 2], port);
            socket.set_read_timeout(Some(PATIENCE)).unwrap();
            let mut text = Vec::new();
            let _closed = socket.read_to_end(&mut text);
            String::from_utf8_lossy(&text).contains(words)
        });
    }
    for _ in 0..5 {
        assert!(works([127, 0, 0, 1]), "others are served");
    }
    drop(idle);
    until("the client is served again", || works([127, 0, 0, 2]));
    let log = std::fs::read_to_string(dir.join("log.txt")).unwrap();
    assert!(log.contains("W 1024 file descriptors are too few"), "{log}");
    assert!(
        log.contains("HTTP 512, HTTPS 0, terminals 256"),
        "a listener that is not there takes no share: {log}"
    );
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn sessions_nobody_signs_on_at_end() {
    let folder = tempfile::tempdir().unwrap();
    let _file = users(folder.path(), &["ALICE"]);
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(folder.path().join("users.toml"));
        config.terminals.unsigned = Some(Duration::from_secs(3));
    });
    let strange = User::logon(&programs, None);
    let mut alice = User::logon(&programs, None);
    alice.enters("CESN USERID=ALICE,PS=secret");
    alice.shows("TXMCE3549I");
    until("the session ends", || {
        *strange.received.disconnected.lock().unwrap()
    });
    assert!(!*alice.received.disconnected.lock().unwrap());
    let log = || programs.log.lock().unwrap().clone();
    until("it is told", || log().contains("TXMZC0125I"));
}
