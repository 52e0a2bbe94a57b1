//! The proxies: ours and those of Debian, each with one thread and full handshakes of TLS 1.3.

use crate::servers::{Server, free_port, start as start_server, transom_exe};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Who takes sessions to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Transom,
    Haproxy,
    Nginx,
    Stunnel,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Transom, Self::Haproxy, Self::Nginx, Self::Stunnel];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Transom => "transom",
            Self::Haproxy => "haproxy",
            Self::Nginx => "nginx",
            Self::Stunnel => "stunnel",
        }
    }
}

/// Certificates and keys, each pair in one file.
pub(crate) struct Certificates {
    folder: TempDir,
    ecdsa: PathBuf,
}

impl Certificates {
    pub(crate) fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let ecdsa = made(
            folder.path(),
            "ecdsa",
            &["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        )?;
        Ok(Self { folder, ecdsa })
    }

    /// ECDSA P-256.
    pub(crate) fn ecdsa(&self) -> &Path {
        &self.ecdsa
    }

    /// RSA-2048.
    pub(super) fn rsa(&self) -> Result<PathBuf, String> {
        made(self.folder.path(), "rsa", &["rsa:2048"])
    }
}

/// For this machine, and no authority: clients that look would refuse one.
const REQUEST: &str = "[req]\ndistinguished_name = name\nx509_extensions = more\n[name]\n[more]\n\
                       basicConstraints = critical, CA:FALSE\nsubjectAltName = DNS:localhost\n";

fn made(folder: &Path, name: &str, key: &[&str]) -> Result<PathBuf, String> {
    let at = |ending: &str| folder.join(format!("{name}.{ending}"));
    fs::write(at("cnf"), REQUEST).map_err(|e| e.to_string())?;
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-nodes", "-days", "30"]);
    command
        .args(["-subj", "/CN=localhost", "-config"])
        .arg(at("cnf"));
    command.arg("-newkey").args(key);
    command
        .arg("-keyout")
        .arg(at("key"))
        .arg("-out")
        .arg(at("crt"));
    crate::servers::run_to_end(&mut command)?;
    let read = |ending| fs::read_to_string(at(ending)).map_err(|e| e.to_string());
    let pem = at("pem");
    fs::write(&pem, read("crt")? + &read("key")?).map_err(|e| e.to_string())?;
    Ok(pem)
}

/// Starts a proxy in front of a host at a local port.
pub(super) fn start(kind: Kind, pem: &Path, host: u16) -> Result<Server, String> {
    let (port, file) = (free_port()?, pem.display());
    let text = match kind {
        Kind::Transom => format!(
            "[redirector]\nthreads = 1\nmax_sessions = 20000\n[hosts.BENCH]\nport = {port}\n\
             targets = \"127.0.0.1:{host}\"\nmode = \"CLIENT\"\ncertificate = \"{file}\"\n\
             log = \"NO\"\ncheck = \"NO\"\ntimemark_seconds = 600\nidle_seconds = 3600\n"
        ),
        Kind::Haproxy => format!(
            "global\n nbthread 1\n maxconn 9900\n tune.ssl.cachesize 0\ndefaults\n mode tcp\n \
             timeout connect 5s\n timeout client 1h\n timeout server 1h\nlisten bench\n bind \
             127.0.0.1:{port} ssl crt {file} no-tls-tickets ssl-min-ver TLSv1.3\n server host \
             127.0.0.1:{host}\n"
        ),
        Kind::Nginx => format!(
            "load_module /usr/lib/nginx/modules/ngx_stream_module.so; worker_processes 1; daemon \
             off; user root; pid PWD/pid; error_log PWD/error.log; events {{ worker_connections \
             19000; }}\nstream {{ server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {file}; \
             ssl_certificate_key {file}; ssl_protocols TLSv1.3; ssl_session_cache off; \
             ssl_session_tickets off; proxy_pass 127.0.0.1:{host}; }} }}\n"
        ),
        Kind::Stunnel => format!(
            "foreground = yes\npid =\ndebug = 3\n[bench]\naccept = 127.0.0.1:{port}\nconnect = \
             127.0.0.1:{host}\ncert = {file}\nsslVersionMin = TLSv1.3\noptions = NO_TICKET\n\
             sessionCacheSize = 1\n"
        ),
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let config = folder.path().join("proxy.toml");
    let text = text.replace("PWD", &folder.path().display().to_string());
    fs::write(&config, text).map_err(|e| e.to_string())?;
    start_server(command(kind, &config)?, port, Some(folder))
}

/// `transom redirector` with TLS on both sides.
pub(super) fn both(pem: &Path, host: u16) -> Result<Server, String> {
    let (port, file) = (free_port()?, pem.display());
    let text = format!(
        "[redirector]\nthreads = 1\n[hosts.BENCH]\nport = {port}\ntargets = \"localhost:{host}\"\n\
         mode = \"BOTH\"\ncertificate = \"{file}\"\nhost_ca = \"{file}\"\nlog = \"NO\"\n\
         check = \"NO\"\n"
    );
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let config = folder.path().join("proxy.toml");
    fs::write(&config, text).map_err(|e| e.to_string())?;
    start_server(command(Kind::Transom, &config)?, port, Some(folder))
}

/// On the first processor.
fn command(kind: Kind, config: &Path) -> Result<Command, String> {
    let exe = match kind {
        Kind::Transom => transom_exe()?,
        Kind::Haproxy => found(&["/usr/sbin/haproxy", "haproxy"])?,
        Kind::Nginx => found(&["/usr/sbin/nginx", "nginx"])?,
        Kind::Stunnel => found(&["/usr/bin/stunnel4", "/usr/bin/stunnel", "stunnel"])?,
    };
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(exe);
    match kind {
        Kind::Transom => command.arg("redirector").arg(config),
        Kind::Haproxy => command.args(["-db", "-f"]).arg(config),
        Kind::Nginx => command.arg("-c").arg(config),
        Kind::Stunnel => command.arg(config),
    };
    Ok(command)
}

fn found(names: &[&str]) -> Result<PathBuf, String> {
    let is_there = |name: &&&str| Command::new(name).arg("-v").output().is_ok();
    let name = names.iter().find(is_there);
    let name = name.ok_or_else(|| format!("{} is not installed", names[names.len() - 1]))?;
    Ok(PathBuf::from(name))
}
