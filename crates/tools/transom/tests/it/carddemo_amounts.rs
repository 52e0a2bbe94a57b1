//! Amounts of CardDemo's jobs, to the cent: POSTTRAN posts a day's transactions, INTCALC computes
//! interest, and a model of both says what accounts, balances and interest must be.
//!
//! Needs TRANSOM_CARDDEMO, a checkout of aws-samples/aws-mainframe-modernization-carddemo, and
//! s3270; without one of them it says so and ends.

use crate::harness::transom;
use crate::import::{Imported, checkout};
use std::collections::BTreeMap;
use std::path::Path;

const PREFIX: &str = "AWS.M2.CARDDEMO";

/// Records of a file in EBCDIC.
fn records(file: &Path, length: usize) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    bytes.chunks(length).map(<[u8]>::to_vec).collect()
}

/// Digits and blanks as characters; the bytes of others stay apart, which is enough for keys.
fn text(bytes: &[u8]) -> String {
    let character = |b: &u8| match b {
        0xF0..=0xF9 => char::from(b - 0xC0),
        0x40 => ' ',
        0x60 => '-',
        other => char::from(*other),
    };
    bytes.iter().map(character).collect()
}

/// A zoned number, without its decimal point.
fn zoned(bytes: &[u8]) -> i64 {
    let value = bytes.iter().fold(0, |v, b| v * 10 + i64::from(b & 15));
    match bytes.last().map(|b| b >> 4) {
        Some(0xD) => -value,
        _ => value,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Account {
    balance: i64,
    limit: i64,
    expires: String,
    credit: i64,
    debit: i64,
    group: Vec<u8>,
}

fn accounts(file: &Path) -> BTreeMap<String, Account> {
    let account = |r: &Vec<u8>| Account {
        balance: zoned(&r[12..24]),
        limit: zoned(&r[24..36]),
        expires: text(&r[58..68]),
        credit: zoned(&r[78..90]),
        debit: zoned(&r[90..102]),
        group: r[112..122].to_vec(),
    };
    let all = records(file, 300);
    all.iter().map(|r| (text(&r[..11]), account(r))).collect()
}

/// Balances by account, type and category.
fn categories(file: &Path) -> BTreeMap<String, i64> {
    let all = records(file, 50);
    let one = |r: &Vec<u8>| (text(&r[..17]), zoned(&r[17..28]));
    all.iter().map(one).collect()
}

/// What is there after a job.
struct Bank {
    accounts: BTreeMap<String, Account>,
    categories: BTreeMap<String, i64>,
}

impl Bank {
    /// As the application comes.
    fn initial(data: &Path) -> Self {
        let file = |name: &str| data.join(format!("{PREFIX}.{name}.PS"));
        Self {
            accounts: accounts(&file("ACCTDATA")),
            categories: categories(&file("TCATBALF")),
        }
    }

    /// As it stands in the data sets.
    fn of(dir: &Path) -> Self {
        let sysin = format!(
            " REPRO INDATASET({PREFIX}.TCATBALF.VSAM.KSDS) OUTFILE(B)\n \
             REPRO INDATASET({PREFIX}.ACCTDATA.VSAM.KSDS) OUTFILE(C)\n"
        );
        std::fs::write(dir.join("unload.idcams"), sysin).unwrap();
        let words =
            "idcams . --in unload.idcams --dd B=./b,format=fixed:50 --dd C=./c,format=fixed:300";
        run(dir, words);
        Self {
            accounts: accounts(&dir.join("c")),
            categories: categories(&dir.join("b")),
        }
    }

    /// CBTRN02C; answers how many transactions are rejected.
    fn post(&mut self, day: &Path, data: &Path) -> usize {
        let cards = records(&data.join(format!("{PREFIX}.CARDXREF.PS")), 50);
        let owners: BTreeMap<String, String> = cards
            .iter()
            .map(|r| (text(&r[..16]), text(&r[25..36])))
            .collect();
        let mut rejected = 0;
        for r in records(day, 350) {
            let amount = zoned(&r[132..143]);
            let owner = owners.get(&text(&r[262..278]));
            let account = owner.and_then(|owner| self.accounts.get_mut(owner));
            let good = account.filter(|a| {
                a.limit >= a.credit - a.debit + amount && a.expires >= text(&r[278..288])
            });
            let (Some(account), Some(owner)) = (good, owner) else {
                rejected += 1;
                continue;
            };
            let key = format!("{owner}{}", text(&r[16..22]));
            *self.categories.entry(key).or_default() += amount;
            account.balance += amount;
            match amount >= 0 {
                true => account.credit += amount,
                false => account.debit += amount,
            }
        }
        rejected
    }

    /// CBACT04C, which computes (balance * rate) / 1200 for each category.
    fn interest(&self, data: &Path) -> Vec<i64> {
        let groups = records(&data.join(format!("{PREFIX}.DISCGRP.PS")), 50);
        let rates: BTreeMap<String, i64> = groups
            .iter()
            .map(|r| (text(&r[..16]), zoned(&r[16..22])))
            .collect();
        // DEFAULT in EBCDIC.
        let default = [0xC4, 0xC5, 0xC6, 0xC1, 0xE4, 0xD3, 0xE3, 0x40, 0x40, 0x40];
        let interest = |(key, balance): (&String, &i64)| {
            let rate = |group: &[u8]| rates.get(&format!("{}{}", text(group), &key[11..]));
            let own = rate(&self.accounts[&key[..11]].group);
            let rate = own.or_else(|| rate(&default)).copied().unwrap_or(0);
            (rate != 0).then(|| balance * rate / (1200 * 100))
        };
        self.categories.iter().filter_map(interest).collect()
    }
}

fn run(dir: &Path, words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let (_, out, said) = transom(&words, dir);
    format!("{out}\n{said}")
}

#[test]
fn jobs_post_and_compute_to_the_cent() {
    let Some(checkout) = checkout("TRANSOM_CARDDEMO") else {
        return;
    };
    let data = checkout.join("app/data/EBCDIC");
    let system = Imported::of(&checkout, &[]);
    // The first start defines and loads the data sets.
    drop(system.terminal("CC00"));
    let dir = system.dir();
    let new = format!(
        " DELETE {PREFIX}.TRANSACT.VSAM.KSDS CLUSTER\n DEFINE CLUSTER (NAME({PREFIX}.TRANSACT.VSAM.KSDS) -\n \
         KEYS(16 0) RECORDSIZE(350 350) INDEXED)\n"
    );
    std::fs::write(dir.join("new.idcams"), new).unwrap();
    run(&dir, "idcams . --in new.idcams");
    std::fs::create_dir(dir.join("files")).unwrap();
    let day = dir.join(format!("files/{PREFIX}.DALYTRAN.PS"));
    std::fs::copy(data.join(format!("{PREFIX}.DALYTRAN.PS")), &day).unwrap();

    let mut wanted = Bank::initial(&data);
    let rejected = wanted.post(&day, &data);
    let said = run(&dir, "batch . jcl/POSTTRAN.jcl --ps files --out files");
    let line = format!("TRANSACTIONS REJECTED  :{rejected:09}");
    assert!(said.contains(&line), "{line}\n{said}");
    let found = Bank::of(&dir);
    assert_eq!(found.accounts, wanted.accounts);
    assert_eq!(found.categories, wanted.categories);

    let said = run(&dir, "batch . jcl/INTCALC.jcl --ps files --out files");
    let made = dir.join(format!("files/{PREFIX}.SYSTRAN.G0001V00"));
    assert!(made.is_file(), "{said}");
    let interest = records(&made, 350);
    let interest: Vec<i64> = interest.iter().map(|r| zoned(&r[132..143])).collect();
    assert_eq!(interest, wanted.interest(&data));
    assert!(interest.iter().sum::<i64>() > 0);
}
