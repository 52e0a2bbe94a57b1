//! `transom redirector` in front of a region, with s3270 and with signals.

use crate::harness::{EXE, copy_of, root, transom};
use crate::s3270::{S3270, available};
use crate::terminal_samples::Region;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

/// A redirector that runs.
pub(crate) struct Redirector {
    child: Child,
    said: BufReader<ChildStderr>,
}

impl Redirector {
    pub(crate) fn start(file: &Path) -> Self {
        let mut child = Command::new(EXE)
            .arg("redirector")
            .arg(file)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        let mut redirector = Self { child, said };
        redirector.says("TXMRD0002I");
        redirector
    }

    /// Reads on to a line with this text.
    fn says(&mut self, text: &str) -> String {
        let mut before = String::new();
        loop {
            let mut line = String::new();
            assert!(
                self.said.read_line(&mut line).unwrap() > 0,
                "{text:?} is not in\n{before}"
            );
            if line.contains(text) {
                return line;
            }
            before += &line;
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Redirector {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn free() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[test]
fn terminals_reach_a_region_by_tls_and_start_tls() {
    if !available() {
        return;
    }
    let (_folder, dir) = copy_of(&root().join("samples/terminal"));
    let region = Region::start(&dir);
    transom_tcpip::create_self_signed(&dir.join("own.pem"), &["localhost"]).unwrap();
    let (file, [clear, tls, negotiated]) = (dir.join("redirector.toml"), [free(), free(), free()]);
    let target = format!(
        "targets = \"localhost:{}\"\ntimemark_seconds = 1\n",
        region.port
    );
    let secure = "mode = \"CLIENT\"\ncertificate = \"own.pem\"\n";
    let text = format!(
        "[hosts.CLEAR]\nport = {clear}\n{target}[hosts.TLS]\nport = {tls}\n{target}{secure}\
         [hosts.NEG]\nport = {negotiated}\nclient_tls = \"NEGOTIATED\"\n{target}{secure}"
    );
    std::fs::write(&file, &text).unwrap();
    let mut redirector = Redirector::start(&file);
    let open = |host: &str, port: u16| {
        let mut terminal = S3270::connect("3279-2-E", &format!("{host}127.0.0.1:{port}"));
        terminal.transaction("MENU");
        terminal.expect("CUSTOMER SAMPLE: MENU");
        terminal
    };
    let (mut first, mut second, mut third) =
        (open("", clear), open("L:Y:", tls), open("Y:", negotiated));
    assert!(first.status.contains("C("), "{}", first.status);
    for terminal in [&mut second, &mut third] {
        let secure = terminal.act("Query(Tls)").join(" ");
        assert!(secure.contains("secure"), "{secure}");
    }
    let (good, out, said) = transom(&["redirector", "redirector.toml", "--status"], &dir);
    assert!(good && out.contains("sessions 3 of"), "{out}{said}");
    // The TIMING-MARKs of more than a second later are the terminal's to answer.
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    // A wrong file changes nothing, a right one no session.
    std::fs::write(&file, "[hosts.TLS]\n").unwrap();
    redirector.signal("-HUP");
    redirector.says("TXMRD0014E");
    std::fs::write(&file, &text).unwrap();
    redirector.signal("-HUP");
    redirector.says("TXMRD0013I");
    for terminal in [&mut first, &mut second, &mut third] {
        terminal.fill(9, 30, "9");
        terminal.enter();
        terminal.expect("Choose 1 or 2.");
    }
    redirector.signal("-TERM");
    redirector.says("TXMRD0015I");
    drop((first, second, third));
    redirector.says("TXMRD0004I");
    redirector.says("TXMRD0016I");
    assert!(redirector.child.wait().unwrap().success());
    let (good, _, said) = transom(&["redirector", "redirector.toml", "--status"], &dir);
    assert!(!good && said.contains("TXMRD0020E"), "{said}");
}

/// The region offers START_TLS, and the redirector says which LU a client gets.
#[test]
fn a_terminal_gets_its_lu_over_start_tls_of_the_host() {
    if !available() {
        return;
    }
    let (_folder, dir) = copy_of(&root().join("samples/terminal"));
    transom_tcpip::create_self_signed(&dir.join("own.pem"), &["localhost"]).unwrap();
    let toml = dir.join("transom.toml");
    let text = std::fs::read_to_string(&toml).unwrap();
    let text = text.replace(
        "[terminals]",
        "[terminals]\ncertificate = \"own.pem\"\nstart_tls = \"YES\"",
    );
    std::fs::write(&toml, text).unwrap();
    let region = Region::start(&dir);
    let (file, port) = (dir.join("redirector.toml"), free());
    let text = format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"localhost:{}\"\nmode = \"HOST\"\nhost_ca = \"own.pem\"\n\
         host_tls = \"NEGOTIATED\"\n[hosts.PAY.lus]\n\"127.0.0.1\" = \"PAY001-PAY002\"\n",
        region.port
    );
    std::fs::write(&file, text).unwrap();
    let mut redirector = Redirector::start(&file);
    for (asked, lu) in [("", "PAY001"), ("PAY002@", "PAY002")] {
        let mut terminal = S3270::connect("3279-2-E", &format!("{asked}127.0.0.1:{port}"));
        let given = terminal.act("Query(LuName)").join(" ");
        assert!(given.contains(lu), "{given} is not {lu}");
        terminal.transaction("MENU");
        terminal.expect("CUSTOMER SAMPLE: MENU");
    }
    std::fs::write(dir.join("any.3270"), "expect \"CUSTOMER\"\n").unwrap();
    let host = format!("127.0.0.1:{port}");
    let script = [
        "drive",
        "3270",
        &host,
        "--script",
        "any.3270",
        "--once",
        "--lu-prefix",
        "BOSS",
    ];
    let (good, _, said) = transom(&script, &dir);
    assert!(!good && said.contains("TXMDR0005E"), "{said}");
    redirector.says("may not have LU BOSS0001 of PAY");
}

#[test]
fn a_file_is_checked_without_serving() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("r.toml"), text).unwrap();
    let check = || transom(&["redirector", "r.toml", "--check"], folder.path());
    write("[hosts.PAY]\nport = 5023\ntargets = \"zos1\"\n");
    let (good, out, _) = check();
    assert!(good && out.contains("1 hosts can be served"), "{out}");
    write("[hosts.PAY]\nport = 5023\ntarget = \"zos1\"\nmode = \"CLIENT\"\n");
    let (good, _, said) = check();
    assert!(!good && said.contains("r.toml:3:1: TXMSI0002E"), "{said}");
    assert!(said.contains("the nearest known one is targets"), "{said}");
}
