//! AWS CardDemo, unmodified, walked by s3270.
//!
//! TRANSOM_CARDDEMO names a checkout of aws-samples/aws-mainframe-modernization-carddemo; its
//! COBOL, copybooks, BMS, CSD deck, jobs and EBCDIC data are used as they come. Without it, or
//! without s3270, the tests say so and end. Expected values are computed from the data files.

use crate::harness::{EXE, transom};
use crate::s3270::{self, S3270};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_copybook::codepage::CodePage;

/// Jobs that define and load what the online programs use.
const JOBS: [&str; 8] = [
    "ACCTFILE", "CARDFILE", "CUSTFILE", "XREFFILE", "TRANFILE", "DUSRSECJ", "TCATBALF", "DISCGRP",
];
/// Main menu.
const MENU: &str = "Please select an option";

fn checkout() -> Option<PathBuf> {
    let Some(path) = std::env::var_os("TRANSOM_CARDDEMO").map(PathBuf::from) else {
        println!("skipped: TRANSOM_CARDDEMO names no checkout of CardDemo");
        return None;
    };
    if !path.join("app/cbl/COSGN00C.cbl").is_file() {
        println!("skipped: {} holds no CardDemo", path.display());
        return None;
    }
    s3270::available().then_some(path)
}

fn copy_members(from: &Path, to: &Path, wanted: impl Fn(&str) -> bool) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if wanted(&name) {
            std::fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

/// The application as a system directory, loaded by its own jobs.
struct CardDemo {
    folder: TempDir,
    port: u16,
    running: Option<Child>,
    data: PathBuf,
}

impl CardDemo {
    fn install(checkout: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (dir, app) = (folder.path(), checkout.join("app"));
        let online = |name: &str| name.starts_with("CO") || name == "CSUTLDTC.cbl";
        copy_members(&app.join("cbl"), &dir.join("cobol"), online);
        copy_members(&app.join("cpy"), &dir.join("copy"), |_| true);
        copy_members(&app.join("bms"), &dir.join("bms"), |n| n.ends_with(".bms"));
        copy_members(&app.join("csd"), &dir.join("csd"), |n| n.ends_with(".CSD"));
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let config = format!("[region]\nAPPLID = \"CARDDEMO\"\n[terminals]\nport = {port}\n");
        std::fs::write(dir.join("transom.toml"), config).unwrap();
        let data = app.join("data/EBCDIC");
        std::fs::create_dir(dir.join("ps")).unwrap();
        for job in JOBS {
            let job = app.join(format!("jcl/{job}.jcl"));
            let (job, ps) = (job.to_str().unwrap(), data.to_str().unwrap());
            let arguments = ["idcams", ".", "--in", job, "--ps", ps, "--out", "ps"];
            let (good, said, errors) = transom(&arguments, dir);
            assert!(good, "{job}: {said}{errors}");
        }
        let (good, _, said) = transom(&["build", "."], dir);
        assert!(good, "{said}");
        Self {
            folder,
            port,
            running: None,
            data,
        }
    }

    fn dir(&self) -> &Path {
        self.folder.path()
    }

    fn start(&mut self) {
        let log = std::fs::File::create(self.dir().join("region.log")).unwrap();
        let child = Command::new(EXE)
            .args(["run", "."])
            .current_dir(self.dir())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.running = Some(child);
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// kill -9 of the region process: nothing is tidied up.
    fn kill(&mut self) {
        if let Some(mut child) = self.running.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.dir().join("region.log")).unwrap_or_default()
    }

    fn terminal(&self) -> S3270 {
        S3270::connect("3279-2-E", &format!("localhost:{}", self.port))
    }

    /// Fixed records of a data file as text.
    fn records(&self, name: &str, length: usize) -> Vec<String> {
        let bytes = std::fs::read(self.data.join(format!("AWS.M2.CARDDEMO.{name}.PS"))).unwrap();
        let page = CodePage::by_ccsid(37).unwrap();
        bytes.chunks(length).map(|r| page.decode(r)).collect()
    }
}

impl Drop for CardDemo {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A zoned number with two decimals and overpunched sign, in cents.
fn cents(zoned: &str) -> i64 {
    let (digits, last) = zoned.split_at(zoned.len() - 1);
    let last = last.chars().next().unwrap();
    let (digit, sign) = match last {
        '{' => (0, 1),
        'A'..='I' => (last as i64 - 'A' as i64 + 1, 1),
        '}' => (0, -1),
        'J'..='R' => (last as i64 - 'J' as i64 + 1, -1),
        digit => (digit.to_digit(10).unwrap().into(), 1),
    };
    sign * (digits.parse::<i64>().unwrap() * 10 + digit)
}

/// `+ZZZ,ZZZ,ZZZ.99`, as the account screens show amounts.
fn edited(cents: i64) -> String {
    let sign = if cents < 0 { '-' } else { '+' };
    let (whole, part) = (cents.abs() / 100, cents.abs() % 100);
    let mut digits = whole.to_string();
    let mut grouped = String::new();
    while digits.len() > 3 {
        grouped = format!(",{}{grouped}", digits.split_off(digits.len() - 3));
    }
    let whole = if whole == 0 {
        String::new()
    } else {
        format!("{digits}{grouped}")
    };
    format!("{sign}{:>11}.{part:02}", whole)
}

/// What the walk knows and has changed.
struct Walk {
    /// First account of the data.
    account: String,
    limit: i64,
    balance: i64,
    card: String,
    cards: Vec<(String, String)>,
    customer: (String, String),
}

impl Walk {
    fn new(demo: &CardDemo) -> Self {
        let accounts = demo.records("ACCTDATA", 300);
        let mut cards: Vec<(String, String)> = demo
            .records("CARDDATA", 150)
            .iter()
            .map(|r| (r[..16].to_owned(), r[16..27].to_owned()))
            .collect();
        cards.sort();
        let customers = demo.records("CUSTDATA", 500);
        let name = |at: usize| customers[0][at..at + 25].trim().to_owned();
        Self {
            account: accounts[0][..11].to_owned(),
            balance: cents(&accounts[0][12..24]),
            limit: cents(&accounts[0][24..36]),
            card: cards
                .iter()
                .find(|c| c.1 == accounts[0][..11])
                .unwrap()
                .0
                .clone(),
            cards,
            customer: (name(9), name(59)),
        }
    }
}

/// To the sign-on screen: PF3 leads out of every screen of the application.
fn leave(t: &mut S3270) {
    const SCREENS_MAX: usize = 6;
    for _ in 0..SCREENS_MAX {
        let screen = t.screen().join("\n");
        if screen.contains("Type your User ID and Password") {
            return;
        }
        match screen.contains("Prog:") || screen.contains("Prog :") {
            true => t.pf(3),
            false => t.transaction("CC00"),
        }
    }
    t.expect("Type your User ID and Password");
}

fn sign_on(t: &mut S3270, user: &str, password: &str) {
    leave(t);
    t.fill(19, 44, user);
    t.fill(20, 44, password);
    t.enter();
}

fn choose(t: &mut S3270, option: &str) {
    t.expect(MENU);
    t.fill(20, 42, option);
    t.enter();
}

/// The main menu, from wherever the terminal is.
fn menu(t: &mut S3270, user: &str) {
    sign_on(t, user, "PASSWORD");
    t.expect(MENU);
}

/// The data breaks rules of the application: a score lies between 300 and 850, area and zip codes
/// exist.
fn mend(t: &mut S3270) {
    t.fill(13, 63, "700");
    t.fill(17, 74, "27546");
    t.fill(20, 11, "212");
}

type Step = (&'static str, fn(&mut S3270, &mut Walk));

/// The walk; each step begins with a sign-on, so that it can follow a restart.
const STEPS: &[Step] = &[
    ("sign-on with a wrong password", |t, _| {
        sign_on(t, "USER0001", "WRONG");
        t.expect("Wrong Password. Try again ...");
        assert!(
            t.status.contains(" 19 43 "),
            "cursor on the password: {}",
            t.status
        );
        sign_on(t, "NOBODY", "PASSWORD");
        t.expect("User not found. Try again ...");
    }),
    ("account view", |t, walk| {
        menu(t, "USER0001");
        choose(t, "01");
        t.fill(5, 39, &walk.account);
        t.enter();
        assert_eq!(t.text(6, 62, 15), edited(walk.limit));
        assert_eq!(t.text(8, 62, 15), edited(walk.balance));
        assert_eq!(t.text(15, 2, 25), walk.customer.0);
        assert_eq!(t.text(15, 56, 25), walk.customer.1);
        t.pf(3);
        t.expect(MENU);
    }),
    ("account view of nobody", |t, _| {
        menu(t, "USER0001");
        choose(t, "01");
        t.fill(5, 39, "99999999999");
        t.enter();
        t.expect("not found in Cross ref file");
    }),
    ("account update, shown but not saved", |t, walk| {
        menu(t, "USER0001");
        choose(t, "02");
        t.fill(5, 39, &walk.account);
        t.enter();
        mend(t);
        t.fill(6, 62, "3030.00");
        t.fill(15, 56, "Unsaved");
        t.enter();
        t.expect("Changes validated.Press F5 to save");
    }),
    ("account update", |t, walk| {
        menu(t, "USER0001");
        choose(t, "02");
        t.fill(5, 39, &walk.account);
        t.enter();
        assert_eq!(
            t.text(6, 62, 15),
            edited(walk.limit),
            "nothing was saved before"
        );
        assert_eq!(
            t.text(15, 56, 25),
            walk.customer.1,
            "nothing was saved before"
        );
        mend(t);
        t.fill(6, 62, "4040.00");
        t.fill(15, 56, "Renamed");
        t.enter();
        t.expect("Changes validated.Press F5 to save");
        t.pf(5);
        t.expect("Changes committed to database");
        walk.limit = 404_000;
        walk.customer.1 = "Renamed".to_owned();
    }),
    ("account and customer changed together", |t, walk| {
        menu(t, "USER0001");
        choose(t, "01");
        t.fill(5, 39, &walk.account);
        t.enter();
        assert_eq!(t.text(6, 62, 15), edited(walk.limit));
        assert_eq!(t.text(15, 56, 25), walk.customer.1);
    }),
    ("card list, forward and back", |t, walk| {
        menu(t, "USER0001");
        choose(t, "03");
        let page = |t: &mut S3270, from: usize, walk: &Walk| {
            for (row, (card, account)) in walk.cards.iter().skip(from).take(7).enumerate() {
                assert_eq!(&t.text(11 + row, 44, 16), card);
                assert_eq!(&t.text(11 + row, 23, 11), account);
            }
        };
        page(t, 0, walk);
        t.pf(8);
        page(t, 7, walk);
        t.pf(8);
        page(t, 14, walk);
        t.pf(7);
        page(t, 7, walk);
    }),
    ("card detail", |t, walk| {
        menu(t, "USER0001");
        choose(t, "04");
        t.fill(7, 46, &walk.account);
        t.fill(8, 46, &walk.card);
        t.enter();
        t.expect("Displaying requested details");
    }),
    ("card update", |t, walk| {
        menu(t, "USER0001");
        choose(t, "05");
        t.fill(7, 46, &walk.account);
        t.fill(8, 46, &walk.card);
        t.enter();
        t.expect("Details of selected card shown above");
        t.fill(11, 26, "NEW NAME");
        t.enter();
        t.expect("Changes validated.Press F5 to save");
        t.pf(5);
        t.expect("Changes committed to database");
    }),
    ("card detail after the update", |t, walk| {
        menu(t, "USER0001");
        choose(t, "04");
        t.fill(7, 46, &walk.account);
        t.fill(8, 46, &walk.card);
        t.enter();
        assert_eq!(t.text(11, 26, 50), "NEW NAME");
    }),
    ("transaction add", |t, walk| {
        menu(t, "USER0001");
        choose(t, "08");
        t.fill(6, 22, &walk.account);
        for (row, column, text) in [
            (10, 16, "01"),
            (10, 37, "0001"),
            (10, 55, "POS TERM"),
            (12, 20, "WALK PURCHASE"),
            (14, 15, "-00000012.34"),
            (14, 43, "2022-06-10"),
            (14, 69, "2022-06-11"),
            (16, 20, "800000000"),
            (16, 49, "SHOP"),
            (18, 22, "TOWN"),
            (18, 68, "12345"),
        ] {
            t.fill(row, column, text);
        }
        t.enter();
        t.expect("Confirm to add this transaction...");
        assert_eq!(t.text(6, 56, 16), walk.card, "found by the alternate index");
        t.fill(21, 64, "Y");
        t.enter();
        t.expect("Transaction added successfully.  Your Tran ID is 0000000000000001");
    }),
    ("transaction list", |t, _| {
        menu(t, "USER0001");
        choose(t, "06");
        t.expect("0000000000000001");
        t.expect("WALK PURCHASE");
        t.expect("-00000012.34");
    }),
    ("transaction view", |t, walk| {
        menu(t, "USER0001");
        choose(t, "07");
        t.fill(6, 22, "0000000000000001");
        t.enter();
        assert_eq!(t.text(10, 59, 16), walk.card);
        assert_eq!(t.text(16, 15, 12), "-00000012.34");
        assert_eq!(t.text(18, 49, 30), "SHOP");
    }),
    ("bill payment, shown but not confirmed", |t, walk| {
        menu(t, "USER0001");
        choose(t, "10");
        t.fill(6, 22, &walk.account);
        t.enter();
        let balance = format!("+{:010}.{:02}", walk.balance / 100, walk.balance % 100);
        assert_eq!(t.text(11, 33, 14), balance);
        t.expect("Confirm to make a bill payment...");
    }),
    ("bill payment", |t, walk| {
        menu(t, "USER0001");
        choose(t, "10");
        t.fill(6, 22, &walk.account);
        t.enter();
        t.fill(15, 61, "Y");
        t.enter();
        t.expect("Payment successful.  Your Transaction ID is 0000000000000002");
        walk.balance = 0;
    }),
    ("nothing is left to pay", |t, walk| {
        menu(t, "USER0001");
        choose(t, "10");
        t.fill(6, 22, &walk.account);
        t.enter();
        t.expect("You have nothing to pay...");
        menu(t, "USER0001");
        choose(t, "06");
        t.expect("0000000000000002");
        t.expect("BILL PAYMENT - ONLINE");
    }),
    ("report request", |t, _| {
        menu(t, "USER0001");
        choose(t, "09");
        t.fill(7, 11, "X");
        t.enter();
        t.expect("Please confirm to print the Monthly report...");
        t.fill(19, 67, "Y");
        t.enter();
        t.expect("Monthly report submitted for printing ...");
    }),
    ("user list", |t, _| {
        menu(t, "ADMIN001");
        t.expect("User List (Security)");
        choose(t, "01");
        t.expect("ADMIN001");
        t.expect("USER0005");
        t.expect("LACHAPELLE");
    }),
    ("user add", |t, _| {
        menu(t, "ADMIN001");
        choose(t, "02");
        for (row, column, text) in [
            (8, 19, "WALK"),
            (8, 57, "ER"),
            (11, 16, "WALKER01"),
            (11, 56, "PASSWORD"),
            (14, 18, "U"),
        ] {
            t.fill(row, column, text);
        }
        t.enter();
        t.expect("User WALKER01 has been added ...");
    }),
    ("the new user signs on", |t, _| {
        menu(t, "WALKER01");
        t.expect("Account View");
    }),
    ("user update", |t, _| {
        menu(t, "ADMIN001");
        choose(t, "03");
        t.fill(6, 22, "WALKER01");
        t.enter();
        t.expect("Press PF5 key to save your updates ...");
        t.fill(11, 19, "WALKING");
        t.pf(5);
        t.expect("User WALKER01 has been updated ...");
    }),
    ("user delete", |t, _| {
        menu(t, "ADMIN001");
        choose(t, "04");
        t.fill(6, 22, "WALKER01");
        t.enter();
        assert_eq!(t.text(11, 19, 20), "WALKING");
        t.pf(5);
        t.expect("User WALKER01 has been deleted ...");
        sign_on(t, "WALKER01", "PASSWORD");
        t.expect("User not found. Try again ...");
    }),
];

fn run(step: &Step, t: &mut S3270, walk: &mut Walk) {
    println!("{}", step.0);
    step.1(t, walk);
}

#[test]
fn the_walk_as_admin_and_as_user() {
    let Some(checkout) = checkout() else { return };
    let mut demo = CardDemo::install(&checkout);
    let mut walk = Walk::new(&demo);
    demo.start();
    let mut t = demo.terminal();
    for step in STEPS {
        run(step, &mut t, &mut walk);
    }
    let job = std::fs::read_to_string(demo.dir().join("jobs/JOB00001.jcl")).unwrap();
    assert!(job.starts_with("//TRNRPT00 JOB"), "{job}");
    assert!(!demo.log().contains("abended"), "{}", demo.log());
}

#[test]
fn the_walk_with_a_kill_between_every_two_steps() {
    let Some(checkout) = checkout() else { return };
    let mut demo = CardDemo::install(&checkout);
    let mut walk = Walk::new(&demo);
    for step in STEPS {
        demo.start();
        let mut t = demo.terminal();
        run(step, &mut t, &mut walk);
        demo.kill();
    }
    let (good, said, errors) = transom(&["verify", "."], demo.dir());
    assert!(good, "{said}{errors}");
}
