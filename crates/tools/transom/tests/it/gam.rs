//! The Global Auto Mall through the redirector, as s3270 and the driver see it.

use crate::harness::{copy_of, root, transom};
use crate::redirector::{Redirector, free};
use crate::s3270::{S3270, available};
use crate::terminal_samples::Region;
use std::path::{Path, PathBuf};

/// The mall, and TLS in front of it by the file of the sample.
struct Mall {
    _region: Region,
    _redirector: Redirector,
    port: u16,
    dir: PathBuf,
    _folder: tempfile::TempDir,
}

impl Mall {
    fn open() -> Self {
        let (folder, dir) = copy_of(&root().join("samples/gam"));
        let (good, out, said) = transom(&["sql", ".", "--in", "sql/gam.sql"], &dir);
        assert!(good, "{out}{said}");
        let region = Region::start(&dir);
        transom_tcpip::create_self_signed(&dir.join("gam.pem"), &["localhost"]).unwrap();
        let (file, port) = (dir.join("redirector.toml"), free());
        let text = std::fs::read_to_string(&file).unwrap();
        let (own, target) = (
            format!("port = {port}"),
            format!("localhost:{}", region.port),
        );
        assert!(
            text.contains("port = 12173") && text.contains("localhost:3272"),
            "{text}"
        );
        let text = text
            .replace("port = 12173", &own)
            .replace("localhost:3272", &target);
        std::fs::write(&file, text).unwrap();
        let redirector = Redirector::start(&file);
        Self {
            _region: region,
            _redirector: redirector,
            port,
            dir,
            _folder: folder,
        }
    }
}

/// Pages of a car: the first by a choice from the list, the others by ENTER.
fn car(terminal: &mut S3270, choice: &str, make: &str, car: &str, pages: usize) -> usize {
    terminal.fill(20, 25, choice);
    terminal.enter();
    terminal.expect(&format!("GLOBAL AUTO MALL: {make} "));
    terminal.expect(car);
    terminal.fill(20, 25, "1");
    for page in 1..=pages {
        terminal.enter();
        terminal.expect(&format!("GLOBAL AUTO MALL: {make} {car}"));
        terminal.expect(&format!("{page:>2} of {pages:>2}"));
    }
    1 + pages
}

#[test]
fn s3270_walks_through_the_28_screens_of_the_mall() {
    if !available() {
        return;
    }
    let mall = Mall::open();
    let mut terminal = S3270::connect("3279-2-E", &format!("L:Y:127.0.0.1:{}", mall.port));
    terminal.expect("LOGON APPLID(GAM)");
    terminal.fill(20, 7, "LOGON APPLID(GAM)");
    terminal.enter();
    terminal.expect("GLOBAL AUTO MALL: SIGN-ON");
    terminal.fill(8, 30, "user0042");
    terminal.fill(9, 30, "MALL");
    assert!(
        !terminal.screen().concat().contains("MALL      "),
        "a password is not shown"
    );
    terminal.enter();
    terminal.expect("Guest 0042");
    let mut screens = 3;
    terminal.fill(8, 30, "GAM");
    terminal.enter();
    for (choice, make, name, pages) in [
        ("1", "TOYOTA", "CAMRY", 10),
        ("2", "CHEVROLET", "SILVERADO", 2),
        ("3", "HONDA", "ACCORD", 6),
    ] {
        terminal.expect("GLOBAL AUTO MALL: MAIN MENU");
        screens += 1 + car(&mut terminal, choice, make, name, pages);
        if choice != "3" {
            terminal.pf(3);
        }
    }
    terminal.pf(12);
    terminal.expect("You are logged off;   3,268 cars wait for you.");
    assert_eq!(screens + 1, 28);
    terminal.enter();
    terminal.expect("LOGON APPLID(GAM)");
}

#[test]
fn the_driver_plays_the_mall() {
    let mall = Mall::open();
    let host = format!("localhost:{}", mall.port);
    let base = ["drive", "3270", &host, "--tls", "--script", "mall.3270"];
    let play = |more: &[&str]| {
        let words: Vec<&str> = base.iter().chain(more).copied().collect();
        transom(&words, &mall.dir)
    };
    let (good, out, said) = play(&["--once", "--show"]);
    assert!(good, "{said}\n{out}");
    // 27 keys from the first screen to the last, and one more for the next user.
    assert_eq!(out.matches("+- ").count(), 2 * (28 + 1), "{out}");
    assert!(out.contains("- 28 log off "), "{out}");
    let many = [
        "--terminals",
        "10",
        "--ramp",
        "100",
        "--warm-up",
        "500",
        "--duration",
        "3s",
    ];
    let (good, out, said) = play(&many);
    assert!(good && out.contains("15 Camry 10"), "{said}\n{out}");
}

#[test]
fn files_of_the_mall_are_as_they_are_made() {
    let (_folder, dir) = copy_of(&root().join("samples/gam"));
    let made = std::process::Command::new("python3")
        .arg(dir.join("generate"))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: python3 is not installed");
        return;
    }
    let read = |dir: &Path| std::fs::read_to_string(dir.join("sql/gam.sql")).unwrap();
    assert!(
        read(&dir) == read(&root().join("samples/gam")),
        "run samples/gam/generate"
    );
}
