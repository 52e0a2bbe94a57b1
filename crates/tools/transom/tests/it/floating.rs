//! COMP-1 and COMP-2 against a model of the published rules ("Conversions and precision" of the
//! Enterprise COBOL programming guide): into fixed point they are rounded in the receiver's last
//! place, with nine or eighteen significant digits and zeros behind them.
//!
//! The model works on the exact decimal expansion of a value, as text. FLOAT_VALUES=1000000 in
//! front of the test makes the random share as large.

use crate::harness::Programs;
use std::fmt::Write as _;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Usage {
    Zoned,
    Separate,
    Packed,
    Binary,
    Native,
    Edited,
}

/// A receiver: name, description, usage, digits, scale, sign.
type Receiver = (&'static str, &'static str, Usage, i32, i32, bool);

const RECEIVERS: &[Receiver] = &[
    ("Z1", "9(4)V99", Usage::Zoned, 6, 2, false),
    ("Z2", "S9(7)V99", Usage::Zoned, 9, 2, true),
    ("Z3", "S9(9)V9(9)", Usage::Zoned, 18, 9, true),
    ("Z4", "S9(18)", Usage::Zoned, 18, 0, true),
    ("Z5", "SV9(6)", Usage::Zoned, 6, 6, true),
    ("Z6", "S9(5)PP", Usage::Zoned, 5, -2, true),
    (
        "Z7",
        "S9(4)V99 SIGN LEADING SEPARATE",
        Usage::Separate,
        6,
        2,
        true,
    ),
    ("P1", "S9(7)V99 COMP-3", Usage::Packed, 9, 2, true),
    ("P2", "9(4)V9 COMP-3", Usage::Packed, 5, 1, false),
    ("P3", "S9(9)V9(9) COMP-3", Usage::Packed, 18, 9, true),
    ("B1", "S9(4) COMP", Usage::Binary, 4, 0, true),
    ("B2", "S9(7)V99 COMP", Usage::Binary, 9, 2, true),
    ("B3", "S9(9)V9(9) COMP", Usage::Binary, 18, 9, true),
    ("N1", "S9(7)V99 COMP-5", Usage::Native, 9, 2, true),
    ("N2", "S9(18) COMP-5", Usage::Native, 18, 0, true),
    ("E1", "-(7)9.99", Usage::Edited, 9, 2, true),
];

/// Statements, and whether short form stays short in them.
const STATEMENTS: &[(&str, bool)] = &[
    ("MOVE {f} TO {t}", true),
    ("COMPUTE {t} = {f}", true),
    ("MOVE 0 TO {t} ADD {f} TO {t}", false),
    ("MOVE 0 TO {t} SUBTRACT {f} FROM {t}", false),
    ("MULTIPLY {f} BY 1 GIVING {t}", false),
    ("DIVIDE {f} BY 1 GIVING {t} ROUNDED", false),
];

fn bytes((_, _, usage, digits, _, _): Receiver) -> usize {
    let digits = digits as usize;
    match usage {
        Usage::Zoned => digits,
        Usage::Separate => digits + 1,
        Usage::Edited => digits + 2,
        Usage::Packed => digits / 2 + 1,
        Usage::Binary | Usage::Native if digits <= 4 => 2,
        Usage::Binary | Usage::Native if digits <= 9 => 4,
        Usage::Binary | Usage::Native => 8,
    }
}

/// Bytes of the results of one statement with one operand.
fn results() -> usize {
    RECEIVERS.iter().map(|r| bytes(*r)).sum()
}

fn row() -> usize {
    12 + results() * STATEMENTS.len() * 2
}

fn rows() -> usize {
    32_000 / row()
}

/// An edited field is no receiver of ADD and SUBTRACT.
fn takes(receiver: Receiver, statement: &str) -> bool {
    receiver.2 != Usage::Edited || !statement.starts_with("MOVE 0")
}

/// Carries out every statement with both operands and every receiver for a table of values.
fn program() -> String {
    let mut table = String::new();
    let mut code = String::new();
    for (n, (statement, _)) in STATEMENTS.iter().enumerate() {
        for operand in ["F1", "F2"] {
            for receiver in RECEIVERS {
                let to = format!("R{n}{operand}{}", receiver.0);
                let _ = writeln!(table, "             10 {to} PIC {}.", receiver.1);
                if !takes(*receiver, statement) {
                    continue;
                }
                let text = statement
                    .replace("{f}", &format!("{operand}(I)"))
                    .replace("{t}", &format!("{to}(I)"));
                for part in text.split_inclusive(" TO ") {
                    let _ = writeln!(code, "             {part}");
                }
            }
        }
    }
    format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. FLOATS.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n       01 I PIC S9(4) COMP-5.\n       LINKAGE SECTION.\n       \
         01 DFHCOMMAREA.\n          05 R OCCURS {}.\n             10 F1 COMP-1.\n             \
         10 F2 COMP-2.\n{table}       PROCEDURE DIVISION.\n           \
         PERFORM VARYING I FROM 1 BY 1 UNTIL I > {}\n{code}           END-PERFORM.\n           \
         EXEC CICS RETURN END-EXEC.\n",
        rows(),
        rows()
    )
}

/// The exact decimal expansion of a value.
struct Exact {
    negative: bool,
    digits: Vec<u8>,
    /// Digits in front of the decimal point.
    whole: i32,
    /// Index of the first digit that is not 0.
    first: Option<usize>,
}

impl Exact {
    fn new(value: f64) -> Self {
        // All values of these tests end before the hundred and twentieth place.
        let text = format!("{:.120}", value.abs());
        let (whole, part) = text.split_once('.').unwrap();
        let digits = whole.bytes().chain(part.bytes()).map(|b| b - b'0');
        let digits: Vec<u8> = digits.collect();
        Self {
            negative: value < 0.0,
            first: digits.iter().position(|d| *d != 0),
            whole: whole.len() as i32,
            digits,
        }
    }

    /// What a receiver with this scale holds: rounded once, at its last place or at the last
    /// significant digit; without a limit on the left.
    fn rounded(&self, significant: i32, scale: i32) -> i128 {
        let Some(first) = self.first else { return 0 };
        let keep = (self.whole + scale).min(first as i32 + significant);
        let Ok(keep) = usize::try_from(keep) else {
            return 0;
        };
        let kept = self.digits[..keep].iter();
        let kept = kept.fold(0i128, |n, d| n * 10 + i128::from(*d));
        let kept = kept + i128::from(self.digits[keep] >= 5);
        let kept = kept * 10i128.pow((self.whole + scale) as u32 - keep as u32);
        if self.negative { -kept } else { kept }
    }
}

/// A value as a receiver stores it; `None` where its size leaves it open.
fn stored(receiver: Receiver, value: i128) -> Option<Vec<u8>> {
    let (_, _, usage, digits, scale, signed) = receiver;
    let limit = 10i128.pow(digits as u32);
    if usage == Usage::Native && value.abs() >= limit {
        return None;
    }
    // A negative number of which nothing is left keeps its sign or not.
    if value < 0 && value % limit == 0 {
        return None;
    }
    let value = value % limit;
    let value = if signed { value } else { value.abs() };
    let text = format!("{:0width$}", value.abs(), width = digits as usize);
    let minus = value < 0;
    Some(match usage {
        Usage::Zoned if !signed => text.into_bytes(),
        Usage::Zoned => {
            let mut out = text.into_bytes();
            let last = out.last_mut().unwrap();
            let signs = if minus { b"}JKLMNOPQR" } else { b"{ABCDEFGHI" };
            *last = signs[usize::from(*last - b'0')];
            out
        }
        Usage::Separate => format!("{}{text}", if minus { '-' } else { '+' }).into_bytes(),
        Usage::Packed => {
            let sign = if !signed {
                'F'
            } else if minus {
                'D'
            } else {
                'C'
            };
            let text = format!("{text}{sign}");
            let text = if text.len() % 2 == 1 {
                format!("0{text}")
            } else {
                text
            };
            let hex = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
            (0..text.len()).step_by(2).map(hex).collect()
        }
        Usage::Binary => value.to_be_bytes()[16 - bytes(receiver)..].to_vec(),
        Usage::Native => value.to_le_bytes()[..bytes(receiver)].to_vec(),
        Usage::Edited => {
            let (whole, part) = text.split_at((digits - scale) as usize);
            let whole: i64 = whole.parse().unwrap();
            let sign = if minus { "-" } else { "" };
            format!("{:>11}", format!("{sign}{whole}.{part}")).into_bytes()
        }
    })
}

/// All statements with these values; answers what differs.
fn differences(programs: &Programs, values: &[f64]) -> Vec<String> {
    let mut out = Vec::new();
    for part in values.chunks(rows()) {
        let mut area = vec![0; rows() * row()];
        for (n, value) in part.iter().enumerate() {
            let at = n * row();
            area[at..at + 4].copy_from_slice(&(*value as f32).to_le_bytes());
            area[at + 4..at + 12].copy_from_slice(&value.to_le_bytes());
        }
        let reply = programs.link("FLOATS", &area);
        let reply = reply.unwrap_or_else(|e| panic!("{e:?} {}", programs.log.lock().unwrap()));
        for (n, value) in part.iter().enumerate() {
            check_row(*value, &reply[n * row() + 12..], &mut out);
        }
    }
    out
}

fn check_row(value: f64, row: &[u8], out: &mut Vec<String>) {
    let mut at = 0;
    let (short, long) = (Exact::new(f64::from(value as f32)), Exact::new(value));
    for (statement, stays_short) in STATEMENTS {
        let nine = if *stays_short { 9 } else { 18 };
        for (operand, exact, significant) in [("F1", &short, nine), ("F2", &long, 18)] {
            for receiver in RECEIVERS {
                let found = &row[at..at + bytes(*receiver)];
                at += found.len();
                let wanted = exact.rounded(significant, receiver.4);
                let minus = statement.contains("SUBTRACT");
                let wanted = stored(*receiver, if minus { -wanted } else { wanted });
                let Some(wanted) = wanted.filter(|_| takes(*receiver, statement)) else {
                    continue;
                };
                if wanted != found {
                    let (wanted, shown) = (wanted.escape_ascii(), found.escape_ascii());
                    out.push(format!(
                        "{statement} {operand}={value:?} PIC {}: {shown}, not {wanted}",
                        receiver.1
                    ));
                }
            }
        }
    }
}

fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn amounts_are_exact_to_the_cent() {
    let programs = Programs::new(&[&program()]);
    let amounts: Vec<f64> = (0..10_000).map(|n| f64::from(n) / 100.0).collect();
    let wrong = differences(&programs, &amounts);
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );

    let count = std::env::var("FLOAT_VALUES").map_or(3_000, |n| n.parse().unwrap());
    let mut seed = 0x5EED_1234_ABCD_0001;
    let mut values = Vec::with_capacity(count);
    while values.len() < count {
        let size = 10f64.powi((random(&mut seed) % 24) as i32 - 6);
        let value = (random(&mut seed) >> 11) as f64 / (1u64 << 53) as f64 * size;
        let sign = if random(&mut seed) & 1 == 0 {
            1.0
        } else {
            -1.0
        };
        // Some in the middle between two cents, exactly.
        let value = match values.len() % 10 {
            0 => (value * 8.0).round() / 8.0,
            _ => value,
        };
        values.push(sign * value);
    }
    let wrong = differences(&programs, &values);
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn fixed_point_becomes_the_nearest_number_and_comes_back() {
    let programs = Programs::new(&[&cobol!("numbers/TOFLOAT"), &cobol!("numbers/FLOATIF")]);
    let mut seed = 77;
    for n in 0..3_000 {
        // Six digits for COMP-1, fifteen for COMP-2: these come back unchanged.
        let six = random(&mut seed) % 1_000_000;
        let fifteen = random(&mut seed) % 1_000_000_000_000_000;
        let minus = n % 2 == 1;
        let sign = if minus { "-" } else { "+" };
        let input = format!("{sign}{six:06}{sign}{fifteen:015}");
        let mut area = input.clone().into_bytes();
        area.resize(23 + 23 + 2 * 12, b' ');
        let reply = programs.link("TOFLOAT", &area).unwrap();
        assert_eq!(reply[23..46], input.as_bytes()[..23], "{input}");
        let (six, fifteen) = (format!("{sign}{six}e-2"), format!("{sign}{fifteen}e-5"));
        for at in [46, 58] {
            let short = f32::from_le_bytes(reply[at..at + 4].try_into().unwrap());
            let long = f64::from_le_bytes(reply[at + 4..at + 12].try_into().unwrap());
            assert_eq!(short, six.parse::<f32>().unwrap(), "{input}");
            assert_eq!(long, fifteen.parse::<f64>().unwrap(), "{input}");
        }
    }
    // Each letter is a comparison that held; see the program.
    assert_eq!(programs.text("FLOATIF", &" ".repeat(40)), "ABCDEFGHIJKLM");
}
