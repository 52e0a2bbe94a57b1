//! The ten APIs of CBSA with the bodies that its Java front ends send: strings for numbers, null
//! for strings, floats as Java writes them. Amounts are compared to the cent.
//!
//! Needs TRANSOM_CBSA, a checkout of cicsdev/cics-banking-sample-application-cbsa, and s3270;
//! without one of them it says so and ends.

use crate::cbsa_amounts::{fill, move_ports};
use crate::harness::http;
use crate::import::{Imported, checkout};
use crate::terminal_samples::Region;
use std::time::{Duration, Instant};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// The gateway of a running bank.
struct Bank {
    port: u16,
}

impl Bank {
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        http(self.port, method, path, JSON, body.as_bytes())
    }

    /// The reply has all of these parts; answers it.
    fn says(&self, method: &str, path: &str, body: &str, parts: &[&str]) -> String {
        let (status, reply) = self.ask(method, path, body);
        assert_eq!(status, 200, "{method} {path} {body}\n{reply}");
        for part in parts {
            assert!(reply.contains(part), "{part} is not in\n{reply}\n{body}");
        }
        reply
    }

    /// A payment as the payment interface sends it; answers the reply.
    fn pay(&self, account: u32, amount: &str, code: &str) -> String {
        let body = format!(
            r#"{{"PAYDBCR":{{"CommAccno":"{account:08}","CommAmt":{amount},"mSortC":0,"CommAvBal":0,
            "CommActBal":0,"CommOrigin":{{"CommApplid":"Shop    ","CommUserid":"        ",
            "CommFacilityName":"        ","CommNetwrkId":"        ","CommFaciltype":"0496",
            "Fill0":"    "}},"CommSuccess":" ","CommFailCode":" "}}}}"#
        );
        let code = format!("\"CommFailCode\":\"{code}\"");
        self.says("PUT", "/makepayment/dbcr", &body, &[&code])
    }

    /// Available and actual balance, which are the same in the bank's data.
    fn balance(&self, account: u32) -> i64 {
        let reply = self.says("GET", &format!("/inqaccz/enquiry/{account}"), "", &[]);
        let available = cents(&reply, "InqAccAvailBal");
        assert_eq!(cents(&reply, "InqAccActualBal"), available, "{reply}");
        available
    }
}

/// A member whose value is an amount with two decimal places.
fn cents(reply: &str, member: &str) -> i64 {
    let from = reply.split_once(&format!("\"{member}\":"));
    let value = from.and_then(|(_, rest)| rest.split([',', '}']).next());
    let value = value.unwrap_or_else(|| panic!("no {member} in {reply}"));
    let (whole, places) = value.split_once('.').unwrap_or_else(|| panic!("{value}"));
    assert_eq!(places.len(), 2, "{value}");
    format!("{whole}{places}").parse().unwrap()
}

/// A bank with twenty customers, whose accounts are numbered 1 to 69.
fn bank(system: &Imported) -> (Region, Bank) {
    fill(system);
    let bank = Bank {
        port: move_ports(system),
    };
    let region = Region::start(&system.dir());
    let begin = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", bank.port)).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no gateway");
        std::thread::sleep(Duration::from_millis(20));
    }
    (region, bank)
}

fn create_account(bank: &Bank, kind: &str, rate: &str, overdraft: &str, parts: &[&str]) -> u32 {
    let body = format!(
        r#"{{"CreAcc":{{"CommAccType":"{kind:<8}","CommCustno":"00000002","CommEyecatcher":"    ",
        "CommKey":{{"CommSortcode":0,"CommNumber":0}},"CommIntRt":{rate},"CommOpened":0,
        "CommOverdrLim":{overdraft},"CommLastStmtDt":0,"CommNextStmtDt":0,"CommAvailBal":0.0,
        "CommActBal":0.0,"CommSuccess":null,"CommFailCode":null}}}}"#
    );
    let made = ["\"CommSuccess\":\"Y\"", "\"CommAvailBal\":0.00"];
    let parts: Vec<&str> = parts.iter().chain(&made).copied().collect();
    let reply = bank.says("POST", "/creacc/insert", &body, &parts);
    let number = reply.split_once("\"CommNumber\":").unwrap().1;
    number.split('}').next().unwrap().parse().unwrap()
}

/// Payments in and out, as Java writes a float.
fn payments(bank: &Bank) {
    let mut wanted = bank.balance(1);
    for (amount, cents) in [
        ("12.34", 1_234),
        ("-12.33", -1_233),
        ("0.29", 29),
        ("1.0E7", 1_000_000_000),
        ("1.2345679E7", 1_234_567_900),
        ("-0.01", -1),
        ("0.07", 7),
        ("1.15", 115),
        ("99999.99", 9_999_999),
        ("-8.41", -841),
    ] {
        let reply = bank.pay(1, amount, "0");
        wanted += cents;
        assert_eq!(self::cents(&reply, "CommAvBal"), wanted, "{amount}");
        assert_eq!(self::cents(&reply, "CommActBal"), wanted, "{amount}");
        assert_eq!(bank.balance(1), wanted, "{amount}");
    }
    // A cent too much is refused, and nothing moves.
    let all = bank.balance(6);
    bank.pay(
        6,
        &format!("-{}.{:02}", (all + 1) / 100, (all + 1) % 100),
        "3",
    );
    assert_eq!(bank.balance(6), all);
    bank.pay(6, &format!("-{}.{:02}", all / 100, all % 100), "0");
    assert_eq!(bank.balance(6), 0);
    bank.pay(99_999_998, "1.5", "1");
}

/// An account is made, changed, refuses payments as a loan, and is deleted.
fn accounts(bank: &Bank) {
    let terms = [
        "\"CommIntRt\":2.10",
        "\"CommOverdrLim\":500,",
        "\"CommCustno\":2",
    ];
    let number = create_account(bank, "ISA", "2.1", "500.0", &terms);
    let terms = ["\"CommIntRt\":1234.56", "\"CommOverdrLim\":9999999,"];
    assert_eq!(
        create_account(bank, "MORTGAGE", "1234.56", "9999999.0", &terms),
        number + 1
    );
    let update = |kind: &str, rate: &str, overdraft: u32, parts: &[&str]| {
        let body = format!(
            r#"{{"UpdAcc":{{"CommEye":null,"CommCustno":"2","CommScode":null,"CommAccno":{number},
            "CommIntRate":{rate},"CommOpened":"01012020","CommOverdraft":{overdraft},
            "CommLastStmtDt":"01012020","CommNextStmtDt":"01012020","CommAvailBal":0.0,
            "CommActualBal":0.0,"CommSuccess":null,"CommAccType":"{kind:<8}"}}}}"#
        );
        bank.says("PUT", "/updacc/update", &body, parts)
    };
    for rate in ["38.99", "0.07", "8.41", "9999.99"] {
        let part = format!("\"CommIntRate\":{rate}");
        update("LOAN", rate, 1_234, &[&part, "\"CommSuccess\":\"Y\""]);
        let path = format!("/inqaccz/enquiry/{number}");
        let parts = [
            format!("\"InqAccIntRate\":{rate}"),
            "\"InqAccOverdraft\":1234,".into(),
        ];
        bank.says(
            "GET",
            &path,
            "",
            &[&parts[0], &parts[1], "\"InqAccAccType\":\"LOAN\""],
        );
    }
    // Without a type of account.
    update("", "1.0", 0, &["\"CommSuccess\":\"N\""]);
    bank.pay(number, "1.5", "4");
    bank.pay(number, "-1.5", "4");
    assert_eq!(bank.balance(number), 0);
    let list = bank.says("GET", "/inqacccz/list/2", "", &["\"CustomerFound\":\"Y\""]);
    assert_eq!(list.matches("\"CommEye\":\"ACCT\"").count(), 4, "{list}");
    let gone = ["\"DelAccDelSuccess\":\"Y\"", "\"DelAccIntRate\":9999.99"];
    bank.says("DELETE", &format!("/delacc/remove/{number}"), "", &gone);
    let list = bank.says("GET", "/inqacccz/list/2", "", &[]);
    assert_eq!(list.matches("\"CommEye\":\"ACCT\"").count(), 3, "{list}");
    // Nothing sets the balances then: the zeros of the request are no amounts.
    let (status, reply) = bank.ask("GET", &format!("/inqaccz/enquiry/{number}"), "");
    assert!(status == 500 && reply.contains("TXMCB0603E"), "{reply}");
}

/// A customer is scored by five agencies at once, changed, and deleted with its accounts.
fn customers(bank: &Bank) {
    let body = r#"{"CreCust":{"CommEyecatcher":"    ","CommKey":{"CommSortcode":0,"CommNumber":0},
        "CommName":"Mr Ada B Byron","CommAddress":"1 Mill Lane","CommDateOfBirth":"01011970",
        "CommCreditScore":0,"CommCsReviewDate":"0","CommSuccess":null,"CommFailCode":null}}"#;
    let parts = [
        "\"CommNumber\":21}",
        "\"CommDateOfBirth\":1011970",
        "\"CommSuccess\":\"Y\"",
    ];
    let reply = bank.says("POST", "/crecust/insert", body, &parts);
    let score = reply.split_once("\"CommCreditScore\":").unwrap().1;
    let score: u32 = score.split(',').next().unwrap().parse().unwrap();
    assert!((1..1000).contains(&score), "{reply}");
    let score = format!("\"InqCustCreditScore\":{score},");
    bank.says(
        "GET",
        "/inqcustz/enquiry/21",
        "",
        &[&score, "\"InqCustDobYyyy\":1970"],
    );

    let name = format!("{:<60}", "Dr Ada Lovelace");
    let body = format!(
        r#"{{"UpdCust":{{"CommEye":"    ","CommScode":"","CommCustno":"0000000002",
        "CommName":"{name}","CommAddress":" ","CommDob":0,"CommCreditScore":0,
        "CommCsReviewDate":0,"CommUpdSuccess":" ","CommUpdFailCd":" "}}}}"#
    );
    let parts = [
        "\"CommUpdSuccess\":\"Y\"",
        "\"CommName\":\"Dr Ada Lovelace\"",
        "Hay-on-Wye",
    ];
    bank.says("PUT", "/updcust/update", &body, &parts);
    let parts = [
        "\"CommDelSuccess\":\"Y\"",
        "\"CommName\":\"Dr Ada Lovelace\"",
    ];
    bank.says("DELETE", "/delcus/remove/0000000002", "", &parts);
    let parts = ["\"InqCustInqSuccess\":\"N\"", "\"InqCustInqFailCd\":\"1\""];
    bank.says("GET", "/inqcustz/enquiry/2", "", &parts);
    let parts = ["\"CustomerFound\":\"N\"", "\"AccountDetails\":[]"];
    bank.says("GET", "/inqacccz/list/2", "", &parts);
}

#[test]
fn bodies_of_the_front_ends_move_amounts_to_the_cent() {
    let Some(checkout) = checkout("TRANSOM_CBSA") else {
        return;
    };
    let system = Imported::of(&checkout, &["--suggested"]);
    let (_region, bank) = bank(&system);
    payments(&bank);
    accounts(&bank);
    customers(&bank);
}
