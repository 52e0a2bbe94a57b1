//! Several regions that one command runs, and regions that are linked over TCP.
//!
//! The regions are those of scenario 076. Not here: what links do (its steps, and those of 077).

use crate::harness::{EXE, copy_of, free_port, root, transom};
use crate::scenarios;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(180);
const REGIONS: &str = "scenarios/076-linked-regions";

/// `transom run` of a folder with a plex.toml.
pub(crate) struct Plex {
    child: Child,
    pub(crate) dir: PathBuf,
    log: Arc<Mutex<String>>,
    _folders: [tempfile::TempDir; 2],
}

impl Plex {
    fn start(file: &str) -> Self {
        let (copy, dir) = copy_of(&root().join(REGIONS));
        for region in ["AOR", "FOR"] {
            let settings = dir.join(region).join("transom.toml");
            let text = std::fs::read_to_string(&settings).unwrap();
            let text = text.replace("port = 3270", &format!("port = {}", free_port()));
            std::fs::write(settings, text).unwrap();
        }
        std::fs::write(dir.join("plex.toml"), file).unwrap();
        Self::run(copy, dir)
    }

    /// Regions of a folder, which is a copy.
    pub(crate) fn run(copy: tempfile::TempDir, dir: PathBuf) -> Self {
        // Short on purpose: the path of a Unix socket is limited.
        let meeting = tempfile::tempdir_in("/tmp").unwrap();
        let mut child = Command::new(EXE)
            .arg("run")
            .arg(&dir)
            .env("TRANSOM_RUNTIME_DIR", meeting.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let (kept, mut from) = (log.clone(), child.stderr.take().unwrap());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..n]);
                kept.lock().unwrap().push_str(&text);
            }
        });
        Self {
            child,
            dir,
            log,
            _folders: [copy, meeting],
        }
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn says(&self, text: &str) {
        let begin = Instant::now();
        while !self.log().contains(text) {
            assert!(begin.elapsed() < PATIENCE, "{text}: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What all regions answer, once it is this.
    pub(crate) fn status(&self, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let begin = Instant::now();
        loop {
            let (_, text, _) = transom(&["plex", "status", ".", "--json"], &self.dir);
            let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            if wanted(&answer) {
                return answer;
            }
            assert!(begin.elapsed() < PATIENCE, "{text}: {}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn signal(&self, name: &str, pid: u64) {
        let sent = Command::new("kill").args([name, &pid.to_string()]).status();
        assert!(sent.unwrap().success());
    }

    fn ends(mut self) -> (bool, String) {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.success(), self.log());
            }
            assert!(begin.elapsed() < PATIENCE, "{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Plex {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// Both run, and each has acquired its link to the other.
fn linked(answer: &serde_json::Value) -> bool {
    let Some(regions) = answer["regions"].as_array() else {
        return false;
    };
    let acquired = |region: &serde_json::Value| {
        let links = region["links"].as_array().into_iter().flatten();
        region["state"] == "running" && links.clone().any(|link| link["state"] == "acquired")
    };
    regions.len() == 2 && regions.iter().all(acquired)
}

#[test]
fn one_command_starts_regions_keeps_them_and_stops_them_in_order() {
    let plex = Plex::start("[regions.FOR]\nrestarts = 1\n[regions.AOR]\n");
    plex.says("TXMPX0005I all 2 regions are ready");
    let answer = plex.status(linked);
    let (first, second) = (&answer["regions"][0], &answer["regions"][1]);
    assert_eq!(
        (&first["name"], &first["applid"]),
        (&"FOR".into(), &"FILEOWN".into())
    );
    assert_eq!(first["in_doubt"], 0);
    let (_, table, _) = transom(&["plex", "status", "."], &plex.dir);
    assert!(table.starts_with("REGION  STATE    APPLID"), "{table}");
    assert!(table.contains("FROM  LINK"), "{table}");

    // One that dies is named and started again; one for which nothing is said is not.
    let (for_pid, aor_pid) = (
        first["pid"].as_u64().unwrap(),
        second["pid"].as_u64().unwrap(),
    );
    plex.signal("-KILL", for_pid);
    plex.says("TXMPX0008W region FOR died (signal 9) and is started again");
    let again = plex.status(|answer| linked(answer) && answer["regions"][0]["pid"] != for_pid);
    plex.signal("-KILL", again["regions"][0]["pid"].as_u64().unwrap());
    plex.says("TXMPX0007E region FOR died (signal 9); the others go on without it");
    let alone = plex.status(|answer| answer["regions"][0]["state"] == "down");
    assert_eq!(alone["regions"][1]["pid"], aor_pid);

    plex.signal("-INT", u64::from(plex.child.id()));
    let (well, log) = plex.ends();
    // It died, and nobody started it again.
    assert!(!well, "{log}");
    assert!(log.contains("TXMPX0006I region AOR has ended"), "{log}");
}

#[test]
fn regions_end_with_who_started_them_and_the_last_one_stops_first() {
    let plex = Plex::start("[regions.FOR]\n[regions.AOR]\n");
    plex.says("TXMPX0005I all 2 regions are ready");
    let answer = plex.status(linked);
    let pid = answer["regions"][1]["pid"].as_u64().unwrap();
    plex.signal("-TERM", u64::from(plex.child.id()));
    let (well, log) = plex.ends();
    let at = |text: &str| log.find(text).unwrap_or_else(|| panic!("{text}: {log}"));
    assert!(at("region AOR has ended") < at("region FOR has ended"));
    assert!(
        well && !Path::new(&format!("/proc/{pid}")).exists(),
        "{log}"
    );

    let plex = Plex::start("[regions.FOR]\n[regions.AOR]\n");
    let answer = plex.status(linked);
    plex.signal("-KILL", u64::from(plex.child.id()));
    let pids = [0, 1].map(|n| answer["regions"][n]["pid"].as_u64().unwrap());
    let begin = Instant::now();
    while pids
        .iter()
        .any(|pid| Path::new(&format!("/proc/{pid}")).exists())
    {
        assert!(begin.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_wrong_with_a_file_or_a_region_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = |file: &str| {
        std::fs::write(folder.path().join("plex.toml"), file).unwrap();
        let (well, _, said) = transom(&["run", "."], folder.path());
        assert!(!well);
        said
    };
    assert!(run("[regions.A]\nrestart = 1\n").contains("plex.toml:2:1: TXMSI"));
    assert!(run("[regions.A]\n").contains("TXMPX0002E region A: ./A is no folder"));
    std::fs::create_dir(folder.path().join("A")).unwrap();
    std::fs::write(
        folder.path().join("A/transom.toml"),
        "[region]\nNOSUCH = 1\n",
    )
    .unwrap();
    let said = run("[regions.A]\n");
    assert!(said.contains("A | ") && said.contains("NOSUCH"), "{said}");
    assert!(
        said.contains("TXMPX0004E region A did not come up (exit code 1)"),
        "{said}"
    );
    let (well, _, said) = transom(&["plex", "status", "nowhere"], folder.path());
    assert!(!well && said.contains("TXMPX0001E"), "{said}");
}

/// Keyrings of an authority: `ca.pem`, and a certificate for a name.
struct Authority(Issuer<'static, KeyPair>, String);

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Self(Issuer::new(params, key), pem)
    }

    fn keyring(&self, dir: &Path, name: &str) {
        let keys = dir.join("keys");
        std::fs::create_dir_all(&keys).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let own = params.signed_by(&key, &self.0).unwrap().pem() + &key.serialize_pem();
        std::fs::write(keys.join("ca.pem"), &self.1).unwrap();
        std::fs::write(keys.join("default.pem"), own).unwrap();
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(keys.join("default.pem"), mode).unwrap();
    }
}

/// The regions of scenario 076 with IPCONN in place of CONNECTION.
fn over_tcp(dir: &Path) {
    let authority = Authority::new();
    let ports = [free_port(), free_port()];
    let all = [
        ("AOR", "programs", "FOR1", "FILEOWN"),
        ("FOR", "fileown", "AOR1", "PROGRAMS"),
    ];
    for (n, (region, name, partner, applid)) in all.into_iter().enumerate() {
        let dir = dir.join(region);
        authority.keyring(&dir, name);
        let settings = dir.join("transom.toml");
        let text = std::fs::read_to_string(&settings).unwrap();
        std::fs::write(&settings, text + "\n[links]\nkeyring = \"keys\"\n").unwrap();
        let deck = dir
            .join("csd")
            .join(format!("{}.csd", region.to_lowercase()));
        let text = std::fs::read_to_string(&deck).unwrap();
        let begin = text.find(&format!("DEFINE CONNECTION({partner})")).unwrap();
        let end = text[begin + 1..].find("DEFINE").unwrap() + begin + 1;
        let (own, other) = (ports[n], ports[1 - n]);
        let link = format!(
            "DEFINE IPCONN({partner}) GROUP(LINKS) APPLID({applid})\n       \
             HOST(127.0.0.1) PORT({other}) TCPIPSERVICE(LINKS)\n       \
             SSL(YES) USERAUTH(IDENTIFY) SENDCOUNT(20) RECEIVECOUNT(20)\n\
             DEFINE TCPIPSERVICE(LINKS) GROUP(LINKS) PORTNUMBER({own})\n       \
             PROTOCOL(IPIC) SSL(CLIENTAUTH)\n"
        );
        std::fs::write(&deck, format!("{}{link}{}", &text[..begin], &text[end..])).unwrap();
    }
}

#[test]
fn the_same_steps_pass_over_tcp_with_tls() {
    let (_copy, dir) = copy_of(&root().join(REGIONS));
    over_tcp(&dir);
    // Sockets of the host are not used: nobody would answer there.
    if let Err(why) = scenarios::play(&dir) {
        panic!("{why}");
    }
}
