//! JSON -> bytes -> JSON for random copybooks and documents.

use super::super::random::Random;
use super::shape_of;
use transom_copybook::Profile;
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{Properties, RecordFormat, Redefinition};

/// A random record description and a document for it, grown side by side.
struct Grower {
    random: Random,
    names: usize,
    source: String,
}

impl Grower {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("F-{}", self.names)
    }

    /// Adds one item at `level`; returns templates of its value.
    fn item(&mut self, level: usize, depth: usize) -> Value {
        let name = self.name();
        let member = name.to_lowercase().replace('-', "_");
        let indent = " ".repeat(7 + level);
        if depth < 3 && self.random.chance(25) {
            let times = if self.random.chance(50) {
                1 + self.random.below(4)
            } else {
                0
            };
            let occurs = if times > 0 {
                format!(" OCCURS {times} TIMES")
            } else {
                String::new()
            };
            self.source
                .push_str(&format!("{indent}{level:02} {name}{occurs}.\n"));
            let members = (0..1 + self.random.below(4))
                .map(|_| self.item(level + 1, depth + 1))
                .collect();
            let object = Value::Object(member, members);
            return if times > 0 {
                Value::Array(Box::new(object), times)
            } else {
                object
            };
        }
        let (clause, value) = self.leaf(member);
        let times = if self.random.chance(20) {
            1 + self.random.below(5)
        } else {
            0
        };
        let occurs = if times > 0 {
            format!(" OCCURS {times} TIMES")
        } else {
            String::new()
        };
        self.source
            .push_str(&format!("{indent}{level:02} {name} {clause}{occurs}.\n"));
        if times > 0 {
            Value::Array(Box::new(value), times)
        } else {
            value
        }
    }

    fn leaf(&mut self, member: String) -> (String, Value) {
        let digits = 1 + self.random.below(18);
        let decimals = self.random.below(3).min(digits - 1);
        let picture = format!("S9({}){}", digits - decimals, ["", "V9", "V99"][decimals]);
        let number = Value::Number(member.clone(), digits, decimals);
        match self.random.below(6) {
            0 | 1 => {
                let len = 1 + self.random.below(40);
                (format!("PIC X({len})"), Value::Text(member, len))
            }
            2 => (format!("PIC {picture}"), number),
            3 => (format!("PIC {picture} COMP-3"), number),
            4 => (format!("PIC {picture} COMP"), number),
            _ => (format!("PIC {picture} SIGN LEADING SEPARATE"), number),
        }
    }
}

enum Value {
    Text(String, usize),
    Number(String, usize, usize),
    Object(String, Vec<Value>),
    Array(Box<Value>, usize),
}

impl Value {
    fn name(&self) -> &str {
        match self {
            Value::Text(name, _) | Value::Number(name, ..) | Value::Object(name, _) => name,
            Value::Array(element, _) => element.name(),
        }
    }

    fn print(&self, random: &mut Random, out: &mut String) {
        match self {
            Value::Text(_, len) => {
                let alphabet: Vec<char> = "abcXYZ019 .,-\u{E4}\u{F1}\u{DF}&".chars().collect();
                let text: String = (0..random.below(len + 1))
                    .map(|_| alphabet[random.below(alphabet.len())])
                    .collect();
                out.push_str(&format!("\"{}\"", text.trim_end()));
            }
            Value::Number(_, digits, decimals) => {
                let whole = digits - decimals;
                let mut text: String = (0..whole)
                    .map(|_| char::from(b'0' + random.below(10) as u8))
                    .collect();
                text = text.trim_start_matches('0').to_owned();
                if text.is_empty() {
                    text.push('0');
                }
                if *decimals > 0 {
                    text.push('.');
                    text.extend((0..*decimals).map(|_| char::from(b'0' + random.below(10) as u8)));
                }
                let zero = text.chars().all(|c| matches!(c, '0' | '.'));
                if random.chance(50) && !zero {
                    out.push('-');
                }
                out.push_str(&text);
            }
            Value::Object(_, members) => {
                out.push('{');
                for (i, member) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    out.push_str(&format!("\"{}\":", member.name()));
                    member.print(random, out);
                }
                out.push('}');
            }
            Value::Array(element, times) => {
                out.push('[');
                for i in 0..*times {
                    if i > 0 {
                        out.push(',');
                    }
                    if matches!(**element, Value::Object(..)) {
                        element.print(random, out);
                    } else {
                        out.push_str(&format!("{{\"{}\":", element.name()));
                        element.print(random, out);
                        out.push('}');
                    }
                }
                out.push(']');
            }
        }
    }
}

#[test]
fn random_documents_survive_both_directions_in_every_format() {
    let mut bytes = 0;
    for seed in 0..300 {
        let mut grower = Grower {
            random: Random::new(seed),
            names: 0,
            source: "       01 R.\n".to_owned(),
        };
        let members = (0..1 + grower.random.below(6))
            .map(|_| grower.item(5, 0))
            .collect();
        let document = Value::Object(String::new(), members);
        for (profile, format) in [
            (Profile::Host, RecordFormat::host(37)),
            (Profile::Host, RecordFormat::host(1141)),
            (Profile::Native, RecordFormat::region()),
        ] {
            let shape = shape_of(&grower.source, profile, Redefinition::First);
            let encoder = Encoder::compile(&shape, &Properties::default(), &format).unwrap();
            let decoder = Decoder::compile(&shape, &Properties::default(), &format).unwrap();
            for _ in 0..5 {
                let mut json = String::new();
                document.print(&mut grower.random, &mut json);
                let mut record = Vec::new();
                encoder
                    .encode(json.as_bytes(), &[], &mut record)
                    .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{json}\n{}", grower.source));
                let mut back = Vec::new();
                decoder
                    .decode(&record, &mut back)
                    .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", grower.source));
                assert_eq!(
                    String::from_utf8(back).unwrap(),
                    json,
                    "seed {seed}\n{}",
                    grower.source
                );
                let mut again = Vec::new();
                encoder.encode(json.as_bytes(), &[], &mut again).unwrap();
                assert_eq!(again, record);
                bytes += record.len();
            }
        }
    }
    assert!(bytes > 100_000);
}
