//! Certificates of the listeners: whether they are there, and until when they are good.

use crate::report::Report;
use crate::validity::{End, ends};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_system::SystemDirectory;

const DAY_S: i64 = 86_400;
/// Days before the end from which it is told.
const SOON: i64 = 30;

pub(crate) fn look(system: &SystemDirectory, report: &mut Report) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs() as i64);
    for file in files(system) {
        let name = system.shown(&file);
        match std::fs::read(&file) {
            Ok(bytes) => judge(&name, &bytes, now, report),
            Err(error) => {
                let text = format!("{name}: {error}");
                report.fault(
                    "certificates",
                    text,
                    "put the file there, or change the setting",
                );
            }
        }
    }
}

fn judge(name: &str, bytes: &[u8], now: i64, report: &mut Report) {
    match ends(bytes) {
        End::None => {
            let text = format!("{name} has no certificate");
            report.note(
                "certificates",
                text,
                "a PEM file with chain and key is needed for TLS",
            );
        }
        End::Unknown => {
            let text = format!("{name} has a certificate that cannot be read");
            report.fault("certificates", text, "make it anew");
        }
        End::At(end) if end <= now => {
            let text = format!(
                "a certificate in {name} ended {} days ago",
                (now - end) / DAY_S
            );
            report.fault("certificates", text, "put a new one in its place");
        }
        End::At(end) if end - now < SOON * DAY_S => {
            let text = format!(
                "a certificate in {name} ends in {} days",
                (end - now) / DAY_S
            );
            report.note("certificates", text, "put a new one in its place in time");
        }
        End::At(end) => {
            let text = format!("those in {name} are good for {} days", (end - now) / DAY_S);
            report.ok("certificates", text);
        }
    }
}

/// Those that settings name, made ones, and those at the usual place of a gateway.
fn files(system: &SystemDirectory) -> Vec<PathBuf> {
    let settings = &system.settings;
    let named = [
        &settings.terminals.certificate,
        &settings.dbrest.certificate,
        &settings.operations.certificate,
    ];
    let named = named.into_iter().flatten();
    let mut all: Vec<PathBuf> = named.map(|name| system.root.join(name)).collect();
    for folder in [system.own(""), system.root.join("resources/security")] {
        let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let inside = inside.map(|entry| entry.path());
        all.extend(inside.filter(|file| file.extension().is_some_and(|end| end == "pem")));
    }
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::State;

    #[test]
    fn what_is_no_certificate_and_what_is_not_there_are_told() {
        let home = tempfile::tempdir().unwrap();
        let toml = "[operations]\nport = 1\ncertificate = \"not-there.pem\"\n";
        std::fs::write(home.path().join("transom.toml"), toml).unwrap();
        let security = home.path().join("resources/security");
        std::fs::create_dir_all(&security).unwrap();
        std::fs::write(security.join("key.pem"), "nothing").unwrap();
        let (system, _) = SystemDirectory::open(home.path(), |_| Vec::new()).unwrap();
        let mut report = Report::default();
        look(&system, &mut report);
        let states: Vec<State> = report.said().iter().map(|(_, state, _)| *state).collect();
        assert_eq!(states, [State::Fault, State::Note]);
    }
}
