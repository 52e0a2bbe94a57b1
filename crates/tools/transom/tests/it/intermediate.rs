//! Intermediate results against a model of the published rules ("Fixed-point data and intermediate
//! results" of the Enterprise COBOL programming guide): sums and products keep all decimal places,
//! a quotient those of its dividend less those of its divisor, or dmax where that is more. ROUNDED
//! needs a place more.

use crate::harness::Programs;
use std::fmt::Write as _;

/// An operand or receiver: its description and its decimal places.
const ITEMS: &[(&str, &str, u32)] = &[
    ("A", "S9(7)V99 COMP-3", 2),
    ("B", "S9(3)V9(4)", 4),
    ("C", "S9(4) COMP", 0),
    ("D", "S9(3)V9(3) COMP-3", 3),
];
const RECEIVER_PLACES: u32 = 2;

/// Statements in reverse Polish notation beside their COBOL, and whether they round.
const STATEMENTS: &[(&str, &str, bool)] = &[
    ("A / C * D", "AC/D*", false),
    ("A * B / C * D", "AB*C/D*", false),
    ("A / (B + D)", "ABD+/", false),
    ("A * B * D", "AB*D*", true),
    ("C / B + A / C - D", "CB/AC/+D-", false),
    ("A / C / B * C", "AC/B/C*", true),
    ("(A - C) / D * B", "AC-D/B*", true),
    // Literals count as items do.
    ("A / C * 100", "AC/G*", false),
    ("A / D / 1.25 + 7", "AD/E/H+", false),
    ("A / C * 1.0625 - C", "AC/F*C-", false),
    ("C / 7 * 100", "CH/G*", true),
    ("A / C * A", "AC/A*", true),
    ("A / C * A", "AC/A*", false),
    ("- (A / C) * C", "IAC/-C*", true),
    ("(A + C) / C", "AC+C/", true),
];

/// Literals of the statements, by the letters from E on.
const LITERALS: &[Number] = &[
    Number(125, 2),
    Number(10_625, 4),
    Number(100, 0),
    Number(7, 0),
    Number(0, 0),
];

/// A number: its digits and how many of them are decimal places.
#[derive(Clone, Copy)]
struct Number(i128, u32);

impl Number {
    fn at(self, places: u32) -> i128 {
        match places.checked_sub(self.1) {
            Some(more) => self.0 * 10i128.pow(more),
            None => self.0 / 10i128.pow(self.1 - places),
        }
    }
}

/// The result of a statement by the rules; `None`: a divisor is zero.
fn model(postfix: &str, rounds: bool, values: &[Number]) -> Option<i128> {
    let values = &[values, LITERALS].concat();
    let is_divisor = |n: usize| postfix.as_bytes().get(n + 1) == Some(&b'/');
    let places = postfix.bytes().enumerate().filter_map(|(n, byte)| {
        let item = usize::from(byte.checked_sub(b'A')?);
        // Nor do the operands of a divisor in brackets count.
        let counts = !is_divisor(n) && postfix != "ABD+/" || n == 0;
        values.get(item).filter(|_| counts).map(|value| value.1)
    });
    let dmax = places.max().unwrap_or(0);
    let dmax = dmax.max(RECEIVER_PLACES + u32::from(rounds));
    let mut stack = Vec::new();
    for byte in postfix.bytes() {
        if byte.is_ascii_uppercase() {
            stack.push(values[usize::from(byte - b'A')]);
            continue;
        }
        let (b, a) = (stack.pop()?, stack.pop()?);
        let most = a.1.max(b.1);
        stack.push(match byte {
            b'+' => Number(a.at(most) + b.at(most), most),
            b'-' => Number(a.at(most) - b.at(most), most),
            b'*' => Number(a.0 * b.0, a.1 + b.1),
            _ => {
                let places = a.1.saturating_sub(b.1).max(dmax);
                let scaled = a.0 * 10i128.pow(places + b.1 - a.1.min(places + b.1));
                Number(scaled.checked_div(b.0)?, places)
            }
        });
    }
    let result = stack.pop()?;
    let half = match rounds {
        true => 5 * result.0.signum(),
        false => 0,
    };
    Some((result.at(RECEIVER_PLACES + 1) + half) / 10)
}

fn program() -> String {
    let mut data = String::new();
    for (name, picture, _) in ITEMS {
        let _ = writeln!(data, "       01 {name} PIC {picture}.");
    }
    let mut code = String::new();
    for (n, (statement, _, rounds)) in STATEMENTS.iter().enumerate() {
        let rounded = if *rounds { "ROUNDED " } else { "" };
        let _ = writeln!(
            code,
            "           COMPUTE R({}) {rounded}=\n               {statement}\n               \
             ON SIZE ERROR MOVE 0 TO R({0}) END-COMPUTE",
            n + 1
        );
    }
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. INTER.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n{data}       LINKAGE SECTION.\n       01 DFHCOMMAREA.\n          \
         05 GA PIC S9(7)V99 SIGN LEADING SEPARATE.\n          05 GB PIC S9(3)V9(4) SIGN LEADING \
         SEPARATE.\n          05 GC PIC S9(4) SIGN LEADING SEPARATE.\n          \
         05 GD PIC S9(3)V9(3) SIGN LEADING SEPARATE.\n          \
         05 R OCCURS {} PIC S9(15)V99 SIGN LEADING SEPARATE.\n       PROCEDURE DIVISION.\n           \
         MOVE GA TO A MOVE GB TO B MOVE GC TO C MOVE GD TO D\n{code}           \
         EXEC CICS RETURN END-EXEC.\n",
        STATEMENTS.len()
    )
}

/// Powers that are none, and quotients beside floating point.
const POWERS: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. POWERS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC S9(5) COMP-3 VALUE 2.
       01 B PIC S9(5) COMP-3 VALUE 3.
       01 MINUS-8 PIC S9(3) VALUE -8.
       01 Z PIC S9(3) VALUE 0.
       01 HALF PIC S9V9 VALUE 0.5.
       01 RATE PIC S9V9(4) VALUE 0.0525.
       01 BAL PIC S9(9)V99 COMP-3 VALUE 1234.56.
       01 N PIC S9(3) COMP-3 VALUE 12.
       01 FINE PIC S9(3)V9(6) COMP-3.
       01 FACTOR PIC S9V99 COMP-3 VALUE 1.05.
       01 R PIC S9(5)V99.
       01 E PIC -(4)9.99.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
          05 CASES OCCURS 23.
             10 SAID PIC X(9).
       PROCEDURE DIVISION.
           MOVE 7 TO R
           COMPUTE R = Z ** Z ON SIZE ERROR ADD 1 TO R END-COMPUTE
           MOVE R TO E MOVE E TO SAID(1)
           COMPUTE R = Z ** -1 ON SIZE ERROR ADD 1 TO R END-COMPUTE
           MOVE R TO E MOVE E TO SAID(2)
           COMPUTE R = MINUS-8 ** HALF
             ON SIZE ERROR ADD 1 TO R END-COMPUTE
           MOVE R TO E MOVE E TO SAID(3)
           COMPUTE R = Z ** Z MOVE R TO E MOVE E TO SAID(4)
           COMPUTE R = MINUS-8 ** HALF MOVE R TO E MOVE E TO SAID(5)
           COMPUTE R = FUNCTION SQRT(4) * (A / B)
           MOVE R TO E MOVE E TO SAID(6)
           COMPUTE R = MINUS-8 ** B MOVE R TO E MOVE E TO SAID(7)
           COMPUTE R = BAL * ((1 + RATE / 12) ** 12 - 1)
           MOVE R TO E MOVE E TO SAID(8)
           COMPUTE R = BAL * ((1 + RATE / 12) ** N - 1)
           MOVE R TO E MOVE E TO SAID(9)
           COMPUTE R = RATE ** 2 * 10000
           MOVE R TO E MOVE E TO SAID(10)
           COMPUTE R = RATE ** N * 10000
           MOVE R TO E MOVE E TO SAID(11)
           COMPUTE R = FACTOR ** N MOVE R TO E MOVE E TO SAID(12)
           COMPUTE R ROUNDED = FACTOR ** N
           MOVE R TO E MOVE E TO SAID(13)
           COMPUTE R = FACTOR ** 12 MOVE R TO E MOVE E TO SAID(14)
           COMPUTE R = A ** (0 - B) MOVE R TO E MOVE E TO SAID(15)
           COMPUTE R = A / B * FUNCTION SQRT(A * A)
           MOVE R TO E MOVE E TO SAID(16)
           COMPUTE R = A / B * (A * A) ** HALF
           MOVE R TO E MOVE E TO SAID(17)
           COMPUTE FINE = FACTOR ** N
           COMPUTE R = (FINE - 1.79) * 10000
           MOVE R TO E MOVE E TO SAID(19)
           COMPUTE FINE = RATE + FACTOR ** 2 * 0.01
           COMPUTE R = FINE * 10000
           MOVE R TO E MOVE E TO SAID(20)
           MOVE 'NO' TO SAID(18)
           IF FACTOR ** N = 1.73 MOVE 'YES' TO SAID(18) END-IF
           COMPUTE R = - A ** 2 MOVE R TO E MOVE E TO SAID(21)
           COMPUTE R = - A ** B MOVE R TO E MOVE E TO SAID(22)
           COMPUTE R ROUNDED = - BAL / N * B
           MOVE R TO E MOVE E TO SAID(23)
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn powers_that_are_none_are_size_errors() {
    let programs = Programs::new(&[POWERS]);
    let said = programs.text("POWERS", &" ".repeat(9 * 23));
    let words: Vec<&str> = said.split_whitespace().collect();
    // SQRT makes floating point of its statement: 2 * 0.666.. is rounded.
    let wanted = ["8.00", "9.00", "10.00", "1.00", "2.83", "1.33", "-512.00"];
    assert_eq!(words[..7], wanted);
    // By the literal 12 there are 2 * 12 integer digits, which leave 6 of 30 behind the point:
    // 1.0043 ** 12 is 1.052838. Less 1 it has one integer digit more, and 5 behind the point:
    // 0.05283. By an item each product has dmax of them, 4, and the last one is 1.0523. Squares are
    // exact.
    assert_eq!(words[7..11], ["65.22", "64.56", "27.56", "0.00"]);
    // 1.05 ** 12 is 1.7958. By an item it is a product of twelve, and 1.05 * 1.05 is 1.10 with the
    // two places of dmax, three where the receiver is rounded.
    assert_eq!(words[11..15], ["1.73", "1.79", "1.79", "0.12"]);
    // What is floating point behind a quotient makes the quotient floating point.
    assert_eq!(words[15..17], ["1.33", "1.33"]);
    assert_eq!(words[17], "YES");
    // A receiver of six places: 1.795851.
    assert_eq!(words[18..20], ["58.51", "635.25"]);
    // A sign counts before a power: (-2) ** 2.
    assert_eq!(words[20..], ["4.00", "-8.00", "-308.64"]);
}

/// What the program answers for these values.
fn answers(programs: &Programs, values: &[Number]) -> Vec<i128> {
    let mut area = String::new();
    for (value, digits) in values.iter().zip([9, 7, 4, 6]) {
        let sign = if value.0 < 0 { '-' } else { '+' };
        let _ = write!(area, "{sign}{:0digits$}", value.0.unsigned_abs());
    }
    area.push_str(&"+00000000000000000".repeat(STATEMENTS.len()));
    let reply = programs.link("INTER", area.as_bytes());
    let reply = reply.unwrap_or_else(|e| panic!("{e:?} {}", programs.log.lock().unwrap()));
    let text = std::str::from_utf8(&reply[30..]).unwrap();
    let all = (0..STATEMENTS.len()).map(|n| text[18 * n..18 * n + 18].parse().unwrap());
    all.collect()
}

#[test]
fn quotients_are_cut_and_products_are_not() {
    let programs = Programs::new(&[&program()]);
    // 100.00 / 12 is 8.333, since D has three places; 8.333 * 7.000 is 58.331.
    let values = [
        Number(10_000, 2),
        Number(10_375, 4),
        Number(12, 0),
        Number(7_000, 3),
    ];
    let found = answers(&programs, &values);
    assert_eq!(found[0], 5_833);
    // 100.00 / (1.0375 + 7.000) = 12.44..: the sum keeps four places.
    assert_eq!(found[2], 1_244);
    // 100.00 * 1.0375 * 7.000 = 726.25.
    assert_eq!(found[3], 72_625);
    let mut seed = 7u64;
    let mut random = |digits: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let value = i128::from(seed >> 20) % 10i128.pow(digits);
        if seed & (1 << 10) == 0 { value } else { -value }
    };
    for _ in 0..3_000 {
        let values = [
            Number(random(9), 2),
            Number(random(7), 4),
            Number(random(4), 0),
            Number(random(6), 3),
        ];
        let found = answers(&programs, &values);
        for ((statement, postfix, rounds), found) in STATEMENTS.iter().zip(found) {
            let wanted = model(postfix, *rounds, &values).unwrap_or(0);
            let numbers = values.map(|value| value.0);
            assert_eq!(found, wanted, "{statement} of {numbers:?}");
        }
    }
}
