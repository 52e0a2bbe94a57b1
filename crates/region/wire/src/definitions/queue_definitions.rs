//! TDQUEUE and TSMODEL definitions of a deck as the region installs them.
//!
//! Not here: deck syntax and defaults (`transom_csd`).

use super::{TdKind, TdQueueEntry, TdRecovery, TsModelEntry};
use transom_copybook::codepage::CP037;
use transom_csd::Definition;
use transom_types::{TermId, TransId, UserId};

/// DDNAMEs of a TYPE(EXTRA) queue that make it an internal reader, besides SYSOUTCLASS.
const READER_DDNAMES: [&str; 2] = ["INTRDR", "INREADER"];

/// The queue a TDQUEUE definition describes.
pub fn td_queue(definition: &Definition) -> TdQueueEntry {
    let text = |keyword| definition.get(keyword).unwrap_or_default().trim();
    let number = |keyword| text(keyword).parse::<u32>().unwrap_or(0);
    let mut queue = TdQueueEntry::new(field(&definition.name));
    queue.ddname = text("DDNAME").to_owned();
    queue.dsname = text("DSNAME").to_owned();
    queue.record_bytes = number("RECORDSIZE");
    queue.fixed = text("RECORDFORMAT") == "FIXED";
    queue.truncate = matches!(text("DISPOSITION"), "OLD" | "SHR");
    queue.backward = text("TYPEFILE") == "RDBACK";
    queue.open = text("OPENTIME") != "DEFERRED";
    queue.trigger_level = number("TRIGGERLEVEL");
    queue.transid = name(text("TRANSID")).map(TransId::from_field);
    queue.userid = name(text("USERID")).map(UserId::from_field);
    queue.target = field(text("INDIRECTNAME"));
    queue.remote_system = field(text("REMOTESYSTEM"));
    queue.recovery = match text("RECOVSTATUS") {
        "LOGICAL" => TdRecovery::Logical,
        "PHYSICAL" => TdRecovery::Physical,
        _ => TdRecovery::No,
    };
    if text("ATIFACILITY") == "TERMINAL" && queue.transid.is_some() {
        let facility = name(text("FACILITYID")).map_or(queue.name, field_of);
        queue.terminal = Some(TermId::from_field(&facility));
    }
    queue.kind = match text("TYPE") {
        "REMOTE" => TdKind::Remote,
        _ if queue.remote_system != [b' '; 4] => TdKind::Remote,
        "INDIRECT" => TdKind::Indirect,
        "EXTRA" => extrapartition(&queue, text("TYPEFILE")),
        _ => TdKind::Intra,
    };
    queue
}

fn extrapartition(queue: &TdQueueEntry, typefile: &str) -> TdKind {
    if READER_DDNAMES.contains(&queue.ddname.as_str()) {
        return TdKind::Reader;
    }
    match typefile {
        "INPUT" | "RDBACK" => TdKind::Input,
        _ => TdKind::Output,
    }
}

/// The model a TSMODEL definition describes; `None` without a prefix.
pub fn ts_model(definition: &Definition) -> Option<TsModelEntry> {
    let text = |keyword| definition.get(keyword).unwrap_or_default().trim();
    let prefix = match text("XPREFIX") {
        "" => text("PREFIX").as_bytes().to_vec(),
        hex => bytes_of(hex)?.into_iter().map(as_programs_see_it).collect(),
    };
    if prefix.is_empty() {
        return None;
    }
    let mut model = TsModelEntry::new(field(&definition.name), &prefix);
    model.main = text("LOCATION") == "MAIN";
    model.recovery = definition.is_yes("RECOVERY");
    model.remote = !text("REMOTESYSTEM").is_empty();
    model.expiry_hours = text("EXPIRYINT").parse().unwrap_or(0);
    Some(model)
}

/// A deck spells names in EBCDIC: a character becomes that of the programs, any other byte stays.
fn as_programs_see_it(byte: u8) -> u8 {
    let text = CP037.decode(&[byte]);
    match text.as_bytes() {
        [ascii] if ascii.is_ascii_graphic() || *ascii == b' ' => *ascii,
        _ => byte,
    }
}

/// Hexadecimal digits, two a byte. An odd one at the end counts for nothing.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = hex.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
            _ => None,
        })
        .collect()
}

fn name(text: &str) -> Option<&[u8]> {
    (!text.is_empty()).then_some(text.as_bytes())
}

fn field<const N: usize>(text: &str) -> [u8; N] {
    field_of(text.as_bytes())
}

fn field_of<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut field = [b' '; N];
    for (to, from) in field.iter_mut().zip(bytes) {
        *to = *from;
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions(deck: &str) -> Vec<Definition> {
        let mut csd = transom_csd::Csd::new();
        let problems = csd.parse_deck("TEST", deck);
        assert!(problems.is_empty(), "{problems:?}");
        csd.install_all()
    }

    #[test]
    fn the_job_queue_of_an_application_is_an_internal_reader() {
        let found = definitions(
            "DEFINE TDQUEUE(JOBS) GROUP(CARDDEMO) TYPE(EXTRA) DATABUFFERS(1)\n\
             DDNAME(INREADER)\n\
             ERROROPTION(IGNORE) OPENTIME(INITIAL) TYPEFILE(OUTPUT) RECORDSIZE(80)\n\
             RECORDFORMAT(FIXED) BLOCKFORMAT(UNBLOCKED) DISPOSITION(MOD)\n",
        );
        let queue = td_queue(&found[0]);
        assert_eq!(queue.kind, TdKind::Reader);
        assert_eq!((queue.record_bytes, queue.fixed), (80, true));
    }

    #[test]
    fn triggers_and_models() {
        let found = definitions(
            "DEFINE TDQUEUE(TRGQ) GROUP(A) TYPE(INTRA) ATIFACILITY(FILE)\n\
             TRANSID(TRG1)\n\
             TRIGGERLEVEL(3) RECOVSTATUS(LOGICAL)\n\
             DEFINE TSMODEL(REC) GROUP(A) PREFIX(SAFE) RECOVERY(YES)\n\
             DEFINE TSMODEL(HEX) GROUP(A) XPREFIX(C1C201) LOCATION(MAIN)\n",
        );
        let queue = found.iter().map(td_queue).find(|q| q.transid.is_some());
        let queue = queue.unwrap();
        assert_eq!((queue.trigger_level, queue.terminal), (3, None));
        assert_eq!(queue.recovery, TdRecovery::Logical);
        let models: Vec<_> = found.iter().filter_map(ts_model).collect();
        assert!(models.iter().any(|m| m.recovery && m.prefix == b"SAFE"));
        assert!(models.iter().any(|m| m.main && m.prefix == b"AB\x01"));
    }
}
