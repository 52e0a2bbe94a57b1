//! Terminals against the 3270 door in front of a region that is only a desk.

use clap::Parser;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_copybook::codepage::CodePage;
use transom_datastream::inbound::{self, Inbound, ReadData};
use transom_datastream::{Aid, FieldAttribute, Outbound, ScreenSize, Wcc, WriteCommand};
use transom_driver::{TerminalArgs, drive_terminals, drive_terminals_silently};
use transom_region_api::{
    Attention, Logon, LogonRefused, Seat, SeatRefused, Session, TerminalOutput, Terminals,
};
use transom_tcpip::{Tls, create_self_signed};
use transom_tn3270::{Tn3270, Tn3270Config};
use transom_types::TermId;

fn ebcdic(text: &str) -> Vec<u8> {
    CodePage::by_ccsid(37).unwrap().encode(text).0
}

/// Answers each input with a screen that repeats it, in two records; `SILENT` gets no answer.
#[derive(Default)]
struct Desk(Mutex<HashMap<TermId, Arc<dyn TerminalOutput>>>);

/// A title, an input field at 3,11 with room for 8, a number field at 4,11 with room for 4.
fn screen(title: &str) -> Vec<u8> {
    let size = ScreenSize::MODEL_2;
    let fixed = FieldAttribute::default().with_protected(true);
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, size);
    out.set_buffer_address(0)
        .start_field(fixed)
        .text(&ebcdic(title))
        .set_buffer_address(size.position(3, 10))
        .start_field(FieldAttribute::default())
        .insert_cursor()
        .set_buffer_address(size.position(3, 19))
        .start_field(fixed)
        .set_buffer_address(size.position(4, 10))
        .start_field(FieldAttribute::default())
        .set_buffer_address(size.position(4, 15))
        .start_field(fixed);
    out.into_bytes()
}

impl Terminals for Desk {
    fn seat(&self, seat: Seat<'_>, _printer: bool) -> Result<Option<String>, SeatRefused> {
        match seat {
            Seat::Any => Ok(None),
            Seat::Named(name) => Ok(Some(name.to_owned())),
            Seat::PrinterOf(_) => Err(SeatRefused::NoPartner),
        }
    }
    fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        let netname = logon.netname.unwrap();
        let terminal = TermId::from_field(&netname.as_bytes()[netname.len() - 4..]);
        output.write(screen(&format!("WELCOME {netname}")));
        self.0.lock().unwrap().insert(terminal, output);
        Ok(Session {
            terminal,
            netname,
            scs: false,
        })
    }
    fn input(&self, terminal: TermId, record: Vec<u8>) {
        let output = self.0.lock().unwrap()[&terminal].clone();
        let Ok(Inbound::Read(read)) = inbound::parse(&record, ScreenSize::MODEL_2) else {
            return;
        };
        if read.aid == Aid::CLEAR {
            output.write(vec![0xF1, 0xC3]);
            return;
        }
        let page = CodePage::by_ccsid(37).unwrap();
        let texts = match &read.data {
            ReadData::Short => Vec::new(),
            ReadData::Unformatted(characters) => vec![characters.text()],
            ReadData::Fields(fields) => fields.iter().map(|f| f.characters.text()).collect(),
        };
        let typed: Vec<String> = texts.iter().map(|t| page.decode(t)).collect();
        if typed.iter().any(|t| t == "SILENT") {
            return;
        }
        let cursor = read.cursor.unwrap_or(0);
        output.write(screen(&format!("{} {}", read.aid.name(), typed.join("|"))));
        let mut second = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, ScreenSize::MODEL_2);
        second
            .set_buffer_address(1_000)
            .text(&ebcdic(&format!("AND MORE {cursor}")));
        output.write(second.into_bytes());
    }
    fn attention(&self, _: TermId, _: Attention) {}
    fn logoff(&self, terminal: TermId) {
        self.0.lock().unwrap().remove(&terminal);
    }
}

struct Door {
    host: String,
    folder: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl Door {
    fn start(change: impl FnOnce(&mut Tn3270Config)) -> Self {
        let mut config = Tn3270Config::new("127.0.0.1:0".parse().unwrap(), "CICSTEST");
        change(&mut config);
        let door =
            Tn3270::bind(config, Arc::new(Desk::default())).unwrap_or_else(|e| panic!("{e}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let host = format!("localhost:{}", door.address().port());
        runtime.spawn(door.serve());
        Self {
            host,
            folder: tempfile::tempdir().unwrap(),
            _runtime: runtime,
        }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn options(&self, script: &str, more: &[&str]) -> TerminalArgs {
        #[derive(Parser)]
        struct Cli {
            #[command(flatten)]
            args: TerminalArgs,
        }
        let script = self.file("script.3270", script);
        let script = script.to_str().unwrap();
        let fixed = ["3270", &self.host, "--script", script, "--quiet"];
        let times = ["--ramp", "50ms", "--warm-up", "100ms", "--duration", "1s"];
        let all = fixed.iter().chain(&times).chain(more);
        Cli::parse_from(all).args
    }
}

#[test]
fn a_session_types_captures_and_counts_by_screen() {
    let door = Door::start(|_| ());
    door.file("users.csv", "NAME,CODE\nROE,0042\n");
    let script = "
user-file users.csv
expect \"WELCOME LOAD000\"
capture LU 1,10,8
loop
  type 3,11 $NAME
  field 2 \"$CODE\"
  cursor 1,1
  key PF5 as \"all fields\"
  expect \"PF5 ROE|0042\" at 1,2
  expect \"AND MORE 0\"
  type 3,11 \"$LU\"
  key ENTER
  expect \"ENTER LOAD000$USER\"
  transaction HELO
  expect \"ENTER HELO\"
  loop 2
    think 10ms
  end
end
";
    let more = ["--terminals", "1,4", "--lu-prefix", "load", "--think", "5"];
    let run = drive_terminals_silently(&door.options(script, &more)).unwrap();
    for step in &run.steps {
        assert_eq!(step.failures.total(), 0, "{:?}", step.samples);
        assert_eq!(step.connected, u64::from(step.terminals));
        assert!(step.screens > 20, "{step:?}");
        let labels: Vec<_> = step.labels.iter().map(|l| l.label.as_str()).collect();
        assert_eq!(labels, ["all fields", "line 13 ENTER", "HELO", "CLEAR"]);
        let by_label: u64 = step.labels.iter().map(|l| l.screens).sum();
        assert_eq!(by_label, step.screens);
    }
}

#[test]
fn failures_have_their_screens() {
    let door = Door::start(|_| ());
    for (script, kind, words) in [
        (
            "key ENTER\nexpect \"BYE\"",
            "unexpected",
            "\"BYE\" is not on the screen",
        ),
        (
            "type 3,11 \"123456789\"",
            "keyboard",
            "the field has room for 8",
        ),
        ("type 1,2 \"A\"", "keyboard", "not in an input field"),
        (
            "field 3 \"A\"",
            "keyboard",
            "the screen has 2 input fields, not 3",
        ),
        ("type 25,1 \"A\"", "keyboard", "outside the screen"),
        (
            "type 3,11 \"SILENT\"\nkey ENTER",
            "timeout",
            "stays locked after ENTER",
        ),
    ] {
        let more = [
            "--terminals",
            "2",
            "--timeout",
            "300ms",
            "--patience",
            "50ms",
        ];
        let run = drive_terminals_silently(&door.options(script, &more)).unwrap();
        let step = &run.steps[0];
        let failed: Vec<_> = step
            .failures
            .rows()
            .into_iter()
            .filter(|r| r.1 > 0)
            .collect();
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert_eq!(failed[0].0, kind, "{script}");
        let sample = &step.samples[0];
        assert!(sample.reason.contains(words), "{}", sample.reason);
        assert!(
            sample.screen.len() > 20 && step.samples.len() <= 5,
            "{sample:?}"
        );
    }
}

#[test]
fn paced_terminals_keep_their_schedule_and_files_are_written() {
    let door = Door::start(|_| ());
    let json = door.folder.path().join("r.json");
    let html = door.folder.path().join("r.html");
    let more = [
        "--terminals",
        "20",
        "--paced",
        "200",
        "--title",
        "a < b",
        "--json",
        json.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ];
    let script = "think 10s\nkey ENTER as \"the screen\"\nexpect \"AND MORE\"";
    let run = drive_terminals_silently(&door.options(script, &more)).unwrap();
    let step = &run.steps[0];
    assert!((180..=220).contains(&step.screens), "{step:?}");
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("a &lt; b") && page.contains("paced at 200 screens/s"));
    assert!(page.contains("<td>the screen") && page.contains("as it went"));
    assert!(page.contains("verdict good") && page.contains("Good: 20 of 20 terminals had "));
    assert!(!page.contains("What failed") && !page.contains("by load"));
    assert!(
        step.moments.len() >= 2 && !step.spread.is_empty(),
        "{step:?}"
    );
    let json = std::fs::read_to_string(json).unwrap();
    assert!(json.contains("\"mode\": \"paced\""));
}

#[test]
fn a_script_without_keys_keeps_terminals_idle() {
    let door = Door::start(|_| ());
    let run = drive_terminals_silently(&door.options("", &["--terminals", "300"])).unwrap();
    let step = &run.steps[0];
    assert_eq!(
        (step.connected, step.screens, step.logon_count),
        (300, 0, 300)
    );
    assert_eq!(step.failures.total(), 0);
}

#[test]
fn a_run_with_failures_ends_with_an_error_and_its_results() {
    let door = Door::start(|_| {});
    let (bad, good) = (
        "key ENTER\nexpect \"NOTHING\"\n",
        "key ENTER\nexpect \"AND MORE\"\n",
    );
    let json = door.folder.path().join("run.json");
    let file = json.to_str().unwrap();
    let html = door.folder.path().join("run.html");
    let page = html.to_str().unwrap();
    let more = [
        "--terminals",
        "2",
        "--patience",
        "50ms",
        "--json",
        file,
        "--html",
        page,
    ];
    let error = drive_terminals(&door.options(bad, &more)).unwrap_err();
    assert!(
        error.to_string().starts_with("TXMDR0006E with 2 terminals"),
        "{error}"
    );
    assert!(json.exists());
    let text = std::fs::read_to_string(page).unwrap();
    assert!(
        text.contains("verdict bad") && text.contains("Not good: "),
        "{text}"
    );
    let (failed, tiles) = (text.find("What failed"), text.find("class=\"tiles\""));
    assert!(
        failed.is_some() && failed < tiles && text.contains("unexpected</b>"),
        "{text}"
    );
    let more = ["--terminals", "2", "--think", "10ms", "--compare", file];
    let run = drive_terminals(&door.options(good, &more))
        .unwrap()
        .unwrap();
    assert_eq!((run.steps[0].connected, run.interrupted), (2, false));
    std::fs::write(&json, "{}").unwrap();
    let error = drive_terminals(&door.options(good, &more)).unwrap_err();
    assert!(error.to_string().contains("TXMDR0008E"), "{error}");
}

#[test]
fn once_tells_line_and_screen() {
    let door = Door::start(|_| ());
    let good = "loop\nkey ENTER\nexpect \"ENTER\"\nend";
    let show = ["--once", "--show"];
    assert!(
        drive_terminals(&door.options(good, &show))
            .unwrap()
            .is_none()
    );
    let bad = "expect \"WELCOME\"\n\nexpect \"BYE\"";
    let options = door.options(bad, &["--once", "--patience", "10ms"]);
    let error = drive_terminals(&options).unwrap_err().to_string();
    assert!(
        error.starts_with("TXMDR0005E") && error.contains("script.3270:3:"),
        "{error}"
    );
    assert!(error.contains("WELCOME TN0000"), "{error}");
    let options = door.options("kee ENTER", &["--check"]);
    let error = drive_terminals(&options).unwrap_err().to_string();
    assert!(
        error.contains("TXMDR0004E") && error.contains("script.3270:1:1:"),
        "{error}"
    );
}

#[test]
fn tls_at_once_and_negotiated_and_basic_terminals() {
    let folder = tempfile::tempdir().unwrap();
    let pem = folder.path().join("key.pem");
    create_self_signed(&pem, &["localhost"]).unwrap();
    let ca = pem.to_str().unwrap();
    let tls = Tls::from_pem_files(std::slice::from_ref(&pem)).unwrap();
    let script = "expect \"WELCOME\"\nkey ENTER\nexpect \"AND MORE\"";
    for start_tls in [false, true] {
        let door = Door::start(|config| {
            config.tls = Some(tls.clone());
            config.settings.start_tls = start_tls;
        });
        let how = if start_tls { "--start-tls" } else { "--tls" };
        for more in [vec!["--once", how], vec!["--once", how, "--ca", ca]] {
            drive_terminals(&door.options(script, &more)).unwrap();
        }
    }
    let door = Door::start(|config| config.settings.logon_seconds = Duration::from_secs(2));
    drive_terminals(&door.options(script, &["--once", "--basic", "--model", "3279-4"])).unwrap();
    let error = drive_terminals(&door.options(script, &["--once", "--start-tls"])).unwrap_err();
    assert!(error.to_string().contains("START-TLS"), "{error}");
}

#[test]
fn bad_options_are_refused() {
    let door = Door::start(|_| ());
    for (more, words) in [
        (["--terminals", "0"], "1 to"),
        (["--model", "3278-9"], "no model"),
        (["--ccsid", "1252"], "EBCDIC"),
        (["--lu-prefix", "LONGNAME"], "8 characters"),
        (["--paced", "0"], "paced"),
    ] {
        let error = drive_terminals(&door.options("", &more))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("TXMDR0002E") && error.contains(words),
            "{error}"
        );
    }
}
