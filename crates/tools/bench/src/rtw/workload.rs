//! The calls of the RTW as its COBOL programs make them, for peers that make them by hand.
//!
//! What: which rows a transaction looks up, lists and changes; the tables are those of
//! `samples/rtw/generate`. Not here: who carries them out.

/// Tables of 1,000 rows by number.
pub(super) const MASTERS: [&str; 12] = [
    "CUSTOMER",
    "DISTRICT",
    "WAREHOUSE",
    "ITEM",
    "PRICE",
    "DISCOUNT",
    "TAX",
    "CURRENCY",
    "CARRIER",
    "SUPPLIER",
    "CONTRACT",
    "REGION",
];
/// Tables of 320 groups of two or three rows.
pub(super) const DETAILS: [&str; 7] = [
    "ORDERLINE",
    "STOCK",
    "CONTACT",
    "ADDRESS",
    "INVOICE",
    "PAYMENT",
    "SHIPMENT",
];

/// Tables of a transaction: nine that it looks up, four that it lists, one that it changes.
pub(super) struct Transaction {
    pub(super) masters: [usize; 9],
    pub(super) details: [usize; 4],
    pub(super) changed: usize,
}

/// The seven.
pub(super) const TRANSACTIONS: [Transaction; 7] = [
    transaction([0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3], 1),
    transaction([0, 1, 2, 3, 4, 7, 8, 9, 10], [0, 4, 5, 6], 0),
    transaction([0, 1, 2, 5, 6, 7, 9, 10, 11], [4, 5, 2, 3], 5),
    transaction([3, 4, 5, 6, 7, 9, 10, 11, 0], [0, 1, 4, 6], 4),
    transaction([3, 4, 5, 6, 7, 8, 9, 10, 11], [1, 2, 3, 4], 1),
    transaction([2, 3, 4, 8, 9, 10, 11, 0, 1], [1, 6, 0, 5], 1),
    transaction([0, 1, 2, 3, 8, 9, 10, 11, 7], [6, 0, 3, 4], 6),
];

const fn transaction(masters: [usize; 9], details: [usize; 4], changed: usize) -> Transaction {
    Transaction {
        masters,
        details,
        changed,
    }
}

/// One SQL call, or a cursor from OPEN to CLOSE.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// Table and number.
    Select(usize, i64),
    /// Table and group.
    List(usize, i64),
    /// Table, group and line.
    Update(usize, i64, i64),
    /// Number and line.
    Delete(i64, i64),
    /// Number, line and cents.
    Insert(i64, i64, i64),
}

/// What a transaction does, call by call: each call answers cents that count.
pub(super) fn play<E>(
    which: usize,
    given: u64,
    mut call: impl FnMut(Step) -> Result<i64, E>,
) -> Result<i64, E> {
    let tables = &TRANSACTIONS[which];
    let number = (given % 1000) as i64;
    let (mut spread, mut turn, mut total) = (number, 0, 0);
    for _ in 0..12 {
        for master in tables.masters {
            spread = (spread * 37 + 11) % 1000;
            total += call(Step::Select(master, spread))?;
        }
    }
    for _ in 0..4 {
        for detail in tables.details {
            let owner = (number * 8 + turn) % 320;
            turn += 1;
            total += call(Step::List(detail, owner))?;
        }
    }
    let owner = number * 8 % 320;
    for line in 0..2 {
        call(Step::Update(tables.changed, owner, line))?;
    }
    for line in 0..2 {
        call(Step::Delete(number, line))?;
    }
    for line in 0..2 {
        call(Step::Insert(number, line, total))?;
    }
    Ok(total)
}

/// Statements of a peer, by what they do.
pub(super) fn select(table: usize, sign: &str) -> String {
    let name = MASTERS[table];
    format!("SELECT name, amount, since FROM {name} WHERE id = {sign}1")
}

/// Of a cursor.
pub(super) fn list(table: usize, sign: &str) -> String {
    let name = DETAILS[table];
    format!("SELECT line, quantity, amount, remark FROM {name} WHERE owner = {sign}1 ORDER BY line")
}

/// Of a change.
pub(super) fn update(table: usize, sign: &str) -> String {
    let name = DETAILS[table];
    format!("UPDATE {name} SET quantity = quantity + 1 WHERE owner = {sign}1 AND line = {sign}2")
}

/// Of a row of HISTORY.
pub(super) fn delete(sign: &str) -> String {
    format!("DELETE FROM history WHERE tran = 'RTW1' AND number = {sign}1 AND line = {sign}2")
}

/// Of a row of HISTORY.
pub(super) fn insert(sign: &str) -> String {
    format!(
        "INSERT INTO history (tran, number, line, amount, stamp) \
         VALUES ('RTW1', {sign}1, {sign}2, {sign}3, CURRENT_TIMESTAMP)"
    )
}

/// Tables and rows of a peer: amounts are cents. `tail` is what its engine says behind a table.
pub(super) fn tables() -> Vec<String> {
    let mut all = Vec::new();
    for (n, name) in MASTERS.iter().enumerate() {
        let (factor, cents, year) = ((n as i64 + 3) * 100, n + 10, 1985 + n);
        all.push(format!(
            "CREATE TABLE {name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, remark TEXT NOT NULL, \
             amount BIGINT NOT NULL, since TEXT NOT NULL)"
        ));
        all.push(format!(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) \
             INSERT INTO {name} SELECT i, '{name} ' || i, 'row of {name}', i * {factor} + {cents}, \
             '{year}-03-01' FROM n"
        ));
    }
    for (n, name) in DETAILS.iter().enumerate() {
        let (factor, cents) = (n + 5, n + 50);
        all.push(format!(
            "CREATE TABLE {name} (owner INTEGER NOT NULL, line INTEGER NOT NULL, \
             quantity INTEGER NOT NULL, amount BIGINT NOT NULL, remark TEXT NOT NULL, \
             PRIMARY KEY (owner, line))"
        ));
        all.push(format!(
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 959) \
             INSERT INTO {name} SELECT i / 3, i % 3, i * {factor} % 97, i * 100 + {cents}, \
             'line of {name}' FROM n WHERE i % 3 < 2 OR i / 3 % 8 IN (0, 3, 6)"
        ));
    }
    all.push(
        "CREATE TABLE history (tran TEXT NOT NULL, number INTEGER NOT NULL, line INTEGER NOT NULL, \
         amount BIGINT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (tran, number, line))"
            .to_owned(),
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_makes_the_calls_of_the_report() {
        for which in 0..7 {
            let mut counts = [0; 5];
            let played = play(which, 5, |step| {
                counts[match step {
                    Step::Select(..) => 0,
                    Step::List(..) => 1,
                    Step::Update(..) => 2,
                    Step::Delete(..) => 3,
                    Step::Insert(..) => 4,
                }] += 1;
                Ok::<_, ()>(1)
            });
            assert_eq!((played, counts), (Ok(124), [108, 16, 2, 2, 2]), "{which}");
        }
    }
}
