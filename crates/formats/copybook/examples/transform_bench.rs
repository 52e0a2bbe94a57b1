//! Bench `transform`: a 16,384-byte record to JSON and back, against a loop written by hand and a
//! serde_json tree in the same run. Prints the figure lines of `bench/transform/README.md`;
//! `QUICK=1` measures shorter.

use serde_json::{Map, Value, json};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_copybook::CodePage;
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{Binary, Kind, Node, Properties, RecordFormat, Shape, Text};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: every call is handed to the system allocator unchanged; counting touches one atomic only.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above; the block came from `System`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ELEMENTS: usize = 511;

/// R1's response: Figure 4 with 511 elements, members in the order of Figure 3.
fn shape() -> Shape {
    let fullword = |name: &str, offset| {
        let binary = Binary {
            len: 4,
            digits: 8,
            scale: 0,
            signed: false,
            native: false,
            full_range: false,
        };
        Node::new(name, offset, Kind::Binary(binary))
    };
    let text = |name: &str, offset, len| Node::new(name, offset, Kind::Text(Text::new(len)));
    let element = Node::object("user_data", 0, vec![text("user_data", 0, 32)]);
    let members = vec![
        text("tranid", 12, 4),
        Node::table("user_data", 32, ELEMENTS, 32, element),
        fullword("taskid", 8),
        text("rs_spare", 16, 16),
        fullword("recv_size", 0),
        fullword("send_size", 4),
    ];
    Shape::new(vec![Node::object("COMM16KOperationResponse", 0, members)])
}

fn record(page: &CodePage) -> Vec<u8> {
    let text = |text: &str| page.encode(text).0;
    let mut record = Vec::new();
    record.extend(0u32.to_be_bytes());
    record.extend((ELEMENTS as u32 * 32 + 32).to_be_bytes());
    record.extend(181u32.to_be_bytes());
    record.extend(text("BBO#                "));
    for i in 1..=ELEMENTS {
        record.extend(text(&format!("{i:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-")));
    }
    record
}

fn word(record: &[u8], at: usize) -> u32 {
    record[at..at + 4]
        .iter()
        .fold(0, |sum, b| sum << 8 | u32::from(*b))
}

/// What somebody writes for this one record by hand: a table translate, a check, appended pieces.
mod by_hand {
    use super::{CodePage, word};
    use std::io::Write as _;

    fn text(out: &mut Vec<u8>, field: &[u8], page: &CodePage) {
        let len = field
            .iter()
            .rposition(|b| *b != page.space)
            .map_or(0, |last| last + 1);
        let start = out.len();
        out.extend(field[..len].iter().map(|b| page.ascii[usize::from(*b)]));
        if field[..len]
            .iter()
            .fold(0, |all, b| all | page.class[usize::from(*b)])
            != 0
        {
            out.truncate(start);
            let shown = serde_json::to_string(&page.decode(&field[..len])).unwrap_or_default();
            out.extend_from_slice(&shown.as_bytes()[1..shown.len() - 1]);
        }
    }

    pub(super) fn decode(record: &[u8], page: &CodePage, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"COMM16KOperationResponse\":{\"tranid\":\"");
        text(out, &record[12..16], page);
        out.extend_from_slice(b"\",\"user_data\":[");
        for (i, element) in record[32..].chunks_exact(32).enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.extend_from_slice(b"{\"user_data\":\"");
            text(out, element, page);
            out.extend_from_slice(b"\"}");
        }
        let _ = write!(out, "],\"taskid\":{},\"rs_spare\":\"", word(record, 8));
        text(out, &record[16..32], page);
        let (received, sent) = (word(record, 0), word(record, 4));
        let _ = write!(out, "\",\"recv_size\":{received},\"send_size\":{sent}}}}}");
    }
}

/// The same through a document tree.
mod by_tree {
    use super::{CodePage, Map, Value, json, word};

    pub(super) fn decode(record: &[u8], page: &CodePage) -> Vec<u8> {
        let text = |field: &[u8]| page.decode(field).trim_end().to_owned();
        let elements: Vec<Value> = record[32..]
            .chunks_exact(32)
            .map(|e| json!({"user_data": text(e)}))
            .collect();
        let mut members = Map::new();
        members.insert("tranid".into(), text(&record[12..16]).into());
        members.insert("user_data".into(), elements.into());
        members.insert("taskid".into(), word(record, 8).into());
        members.insert("rs_spare".into(), text(&record[16..32]).into());
        members.insert("recv_size".into(), word(record, 0).into());
        members.insert("send_size".into(), word(record, 4).into());
        serde_json::to_vec(&json!({"COMM16KOperationResponse": members})).unwrap_or_default()
    }

    pub(super) fn encode(json: &[u8], page: &CodePage) -> Option<Vec<u8>> {
        let document: Value = serde_json::from_slice(json).ok()?;
        let members = document.get("COMM16KOperationResponse")?;
        let mut record = Vec::new();
        for name in ["recv_size", "send_size", "taskid"] {
            record.extend((members.get(name)?.as_u64()? as u32).to_be_bytes());
        }
        let mut text = |value: &Value, len: usize| {
            let start = record.len();
            record.extend(page.encode(value.as_str()?).0);
            record.resize(start + len, page.space);
            Some(())
        };
        text(members.get("tranid")?, 4)?;
        text(members.get("rs_spare")?, 16)?;
        for element in members.get("user_data")?.as_array()? {
            text(element.get("user_data")?, 32)?;
        }
        Some(record)
    }
}

/// Input bytes per microsecond (MB/s) of the best of many short rounds: a round of some
/// milliseconds has a chance to run undisturbed on a machine that does other things.
fn rate(bytes: usize, mut run: impl FnMut()) -> f64 {
    let whole = Duration::from_millis(if std::env::var_os("QUICK").is_some() {
        700
    } else {
        3000
    });
    let round = Duration::from_millis(4);
    let mut best = f64::MAX;
    let begin = Instant::now();
    while begin.elapsed() < whole {
        let start = Instant::now();
        let mut times = 0u32;
        while start.elapsed() < round {
            for _ in 0..10 {
                run();
            }
            times += 10;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(times));
    }
    bytes as f64 / best / 1e6
}

fn figure(
    name: &str,
    value: f64,
    unit: &str,
    peer: Option<(&str, f64)>,
    goal: Option<(&str, f64)>,
) {
    let mut line = format!("figure={name} value={value:.1} unit={unit}");
    if let Some((peer, rate)) = peer {
        line.push_str(&format!(
            " peer={peer} peer_value={rate:.1} ratio={:.2}",
            value / rate
        ));
    }
    if let Some((op, goal)) = goal {
        let met = if op == ">=" {
            value >= goal
        } else {
            value <= goal
        };
        line.push_str(&format!(
            " goal={op}{goal} met={}",
            if met { "yes" } else { "no" }
        ));
    }
    println!("{line}");
}

/// A fixed amount of work, to compare machines: steps of a generator of random numbers.
fn calibration() -> f64 {
    let mut state = 1u64;
    rate(10_000, || {
        for _ in 0..10_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        black_box(state);
    })
}

fn main() {
    figure("calibration_steps", calibration(), "M/s", None, None);
    for (ccsid, name) in [(37, "ebcdic"), (819, "region")] {
        let Some(page) = CodePage::by_ccsid(ccsid) else {
            return;
        };
        let format = if ccsid == 37 {
            RecordFormat::host(37)
        } else {
            RecordFormat::region()
        };
        let (shape, properties) = (shape(), Properties::default());
        let (decoder, encoder) = match (
            Decoder::compile(&shape, &properties, &format),
            Encoder::compile(&shape, &properties, &format),
        ) {
            (Ok(decoder), Ok(encoder)) => (decoder, encoder),
            (Err(problem), _) | (_, Err(problem)) => {
                eprintln!("{}", problem.place_first());
                #[expect(clippy::disallowed_methods, reason = "an example that cannot go on")]
                std::process::exit(1);
            }
        };
        measure(name, page, &decoder, &encoder);
    }
}

fn measure(name: &str, page: &CodePage, decoder: &Decoder, encoder: &Encoder) {
    let record = record(page);
    let (mut json, mut peer, mut back) = (Vec::new(), Vec::new(), Vec::new());
    decoder
        .decode(&record, &mut json)
        .expect("the record is valid");
    by_hand::decode(&record, page, &mut peer);
    assert_eq!(json, peer, "both print the same document");
    assert_eq!(by_tree::decode(&record, page), json);
    encoder
        .encode(&json, &[], &mut back)
        .expect("the document is valid");
    assert_eq!(back, record);
    assert_eq!(by_tree::encode(&json, page).as_deref(), Some(&record[..]));

    let document = json.clone();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..1000 {
        json.clear();
        back.clear();
        decoder
            .decode(black_box(&record), &mut json)
            .expect("valid");
        encoder
            .encode(black_box(&document), &[], &mut back)
            .expect("valid");
    }
    let allocations = (ALLOCATIONS.load(Ordering::Relaxed) - before) as f64 / 1000.0;

    let hand = rate(record.len(), || {
        peer.clear();
        by_hand::decode(black_box(&record), page, &mut peer);
        black_box(&peer);
    });
    let tree = rate(record.len(), || {
        black_box(by_tree::decode(black_box(&record), page));
    });
    let decode = rate(record.len(), || {
        json.clear();
        decoder
            .decode(black_box(&record), &mut json)
            .expect("valid");
        black_box(&json);
    });
    let tree_in = rate(record.len(), || {
        black_box(by_tree::encode(black_box(&document), page));
    });
    let encode = rate(record.len(), || {
        back.clear();
        encoder
            .encode(black_box(&document), &[], &mut back)
            .expect("valid");
        black_box(&back);
    });
    figure(
        &format!("decode_{name}"),
        decode,
        "MB/s",
        Some(("hand_loop", hand)),
        Some((">=", 1800.0)),
    );
    figure(
        &format!("decode_{name}_tree"),
        decode,
        "MB/s",
        Some(("serde_json_tree", tree)),
        None,
    );
    figure(
        &format!("encode_{name}"),
        encode,
        "MB/s",
        Some(("serde_json_tree", tree_in)),
        Some((">=", 600.0)),
    );
    figure(
        &format!("allocations_{name}"),
        allocations,
        "per_record",
        None,
        Some(("<=", 0.0)),
    );
}
