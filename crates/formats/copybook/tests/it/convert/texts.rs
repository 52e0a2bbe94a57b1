//! Tables of texts, which have a loop of their own, against a model that works on characters.

use super::super::random::Random;
use super::decode;
use transom_copybook::CodePage;
use transom_copybook::shape::{Kind, Node, Properties, RecordFormat, Shape, Text};

/// What one field shows: as `CodePage` says, without blanks and low values at its end, without
/// control characters (or with their escapes), then without blanks at the ends again.
fn shown(field: &[u8], page: &CodePage, properties: &Properties) -> String {
    let trims = properties.trim_output_trailing_whitespace;
    let keeps = |b: &u8| !trims || (*b != page.space && *b != 0);
    let end = field.iter().rposition(keeps).map_or(0, |last| last + 1);
    let mut text = String::new();
    for c in page.decode(&field[..end]).chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c.is_control() && c != '\u{85}' => {
                if properties.escape_output_control_characters {
                    text.push_str(&format!("\\u{:04X}", c as u32));
                }
            }
            c => text.push(c),
        }
    }
    if trims {
        text.truncate(text.trim_end_matches(' ').len());
    }
    if properties.trim_output_leading_whitespace {
        text = text.trim_start_matches(' ').to_owned();
    }
    text
}

/// Mostly letters, sometimes anything.
fn field(random: &mut Random, len: usize, page: &CodePage, strange: usize) -> Vec<u8> {
    let filled = random.below(len + 1);
    let letters = page.encode("ABC xyz-0123").0;
    (0..len)
        .map(|i| match i {
            i if i >= filled => page.space,
            _ if random.chance(strange) => random.next() as u8,
            _ => letters[random.below(letters.len())],
        })
        .collect()
}

#[test]
fn tables_of_texts_agree_with_the_model_in_every_code_page_and_style() {
    let mut random = Random::new(3);
    for round in 0..600 {
        let ccsid = [37u16, 819, 1047, 1140, 437, 1252][random.below(6)];
        let page = CodePage::by_ccsid(u32::from(ccsid)).expect("known");
        let properties = Properties {
            trim_output_trailing_whitespace: random.chance(80),
            trim_output_leading_whitespace: random.chance(20),
            escape_output_control_characters: random.chance(30),
            ..Properties::default()
        };
        let (count, len, gap) = (1 + random.below(100), 1 + random.below(70), random.below(3));
        let strange = [0, 0, 1, 30][random.below(4)];
        let fields: Vec<Vec<u8>> = (0..count)
            .map(|_| field(&mut random, len, page, strange))
            .collect();
        let mut record = Vec::new();
        for field in &fields {
            record.extend_from_slice(field);
            record.resize(record.len() + gap, 0xEE);
        }
        let text = Kind::Text(Text::new(len));
        let name = [
            "t",
            "a_name_of_more_than_thirty_two_characters",
            "n\u{E4}me",
        ][random.below(3)];
        let element = match random.below(2) {
            0 => Node::object("", 0, vec![Node::new(name, 0, text)]),
            _ => Node::new(name, 0, text),
        };
        let wrapped = matches!(element.kind, Kind::Object(_));
        let shape = Shape::new(vec![Node::table("all", 0, count, len + gap, element)]);
        let expected: Vec<String> = fields
            .iter()
            .map(|field| {
                let text = shown(field, page, &properties);
                if wrapped {
                    format!("{{\"{name}\":\"{text}\"}}")
                } else {
                    format!("\"{text}\"")
                }
            })
            .collect();
        let json = decode(&shape, &properties, &RecordFormat::host(ccsid), &record);
        let expected = format!("{{\"all\":[{}]}}", expected.join(","));
        assert_eq!(json, expected, "round {round} page {ccsid} {properties:?}");
        serde_json::from_str::<serde_json::Value>(&json).expect("JSON");
    }
}
