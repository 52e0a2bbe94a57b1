//! Amounts of CBSA, to the cent: screens take them as text that becomes COMP-2, programs keep them
//! in DECIMAL columns.
//!
//! Needs TRANSOM_CBSA, a checkout of cicsdev/cics-banking-sample-application-cbsa, and s3270;
//! without one of them it says so and ends.

use crate::harness::{free_port, transom};
use crate::import::{Imported, checkout};
use crate::s3270::S3270;

/// Credits (positive) and debits of two accounts, in cents.
const AMOUNTS: &[i64] = &[
    1, 7, 115, -841, 1_234, 9_999_999, -5, 410, 123_456, -123_456, 1_001, 57, 29, -58, 12_345_678,
];

/// The bank's own data, twenty customers of them.
pub(crate) fn fill(system: &Imported) {
    let job = system.dir().join("jcl/BANKDATA.jcl");
    let text = std::fs::read_to_string(&job).unwrap();
    std::fs::write(&job, text.replace("'1,10000,", "'1,20,")).unwrap();
    let words = ["batch", ".", "jcl/BANKDATA.jcl"];
    let (good, out, said) = transom(&words, &system.dir());
    assert!(good, "{out}\n{said}");
}

/// Ports of its own, since those of the checkout are fixed; answers that of HTTP.
pub(crate) fn move_ports(system: &Imported) -> u16 {
    let file = system.dir().join("server.xml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    let own = [free_port(), free_port()];
    for (port, own) in ["30701", "30702"].iter().zip(own) {
        text = text.replace(port, &own.to_string());
    }
    std::fs::write(file, text).unwrap();
    own[0]
}

fn shown(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// `+0000848151.11`
fn cents(text: &str) -> i64 {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let value: i64 = digits.parse().unwrap_or_else(|_| panic!("{text:?}"));
    if text.contains('-') { -value } else { value }
}

/// Option of the menu, from anywhere.
fn choose(terminal: &mut S3270, option: &str) {
    terminal.transaction("OMEN");
    terminal.expect("Main Menu");
    terminal.act(&format!("String(\"{option}\")"));
    terminal.enter();
}

/// The available balance of an account, as option 5 shows it.
fn balance(terminal: &mut S3270, account: &str) -> i64 {
    choose(terminal, "5");
    terminal.fill(5, 18, account);
    terminal.enter();
    let (available, actual) = (terminal.text(16, 20, 14), terminal.text(17, 20, 14));
    assert_eq!(available, actual);
    cents(&available)
}

#[test]
fn amounts_are_exact_to_the_cent() {
    let Some(checkout) = checkout("TRANSOM_CBSA") else {
        return;
    };
    let system = Imported::of(&checkout, &["--suggested"]);
    fill(&system);
    move_ports(&system);
    let (_region, mut terminal) = system.terminal("OMEN");
    let accounts = ["00000001", "00000002"];
    let mut wanted = accounts.map(|account| balance(&mut terminal, account));
    for (n, amount) in AMOUNTS.iter().enumerate() {
        let at = n % 2;
        choose(&mut terminal, "6");
        terminal.fill(8, 18, accounts[at]);
        terminal.fill(8, 36, if *amount < 0 { "-" } else { "+" });
        terminal.fill(8, 38, &shown(amount.abs()));
        terminal.enter();
        terminal.expect("Amount successfully applied to the account.");
        wanted[at] += amount;
        assert_eq!(cents(&terminal.text(11, 21, 14)), wanted[at], "{amount}");
    }
    // A transfer takes from the one what it gives to the other.
    choose(&mut terminal, "7");
    terminal.fill(8, 24, accounts[0]);
    terminal.fill(8, 53, accounts[1]);
    terminal.fill(9, 24, "1234.57");
    terminal.enter();
    terminal.expect("Transfer successfully applied.");
    wanted = [wanted[0] - 123_457, wanted[1] + 123_457];
    assert_eq!(accounts.map(|a| balance(&mut terminal, a)), wanted);
    // An interest rate goes through COMP-1.
    for rate in ["38.99", "0.07", "8.41", "1234.56"] {
        balance(&mut terminal, accounts[0]);
        terminal.fill(11, 21, rate);
        terminal.pf(5);
        terminal.expect("Account update successfully applied.");
        balance(&mut terminal, accounts[0]);
        assert_eq!(terminal.text(11, 21, 7), format!("{rate:0>7}"));
    }
    assert_eq!(accounts.map(|a| balance(&mut terminal, a)), wanted);
}
