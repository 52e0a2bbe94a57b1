//! Conditions of data sets as RESP, RESP2 or abend.
//!
//! Source of the numbers: see `docs/provenance.md`, file control.

use transom_datasets::Condition;
use transom_messages as messages;
use transom_types::{AbendCode, FileName, Resp};
use transom_wire::requests::RegionAnswer;

/// The file is not open.
pub(super) fn not_open(file: FileName) -> RegionAnswer {
    RegionAnswer::refused(Resp::NOTOPEN, 60, messages::fc::not_open(file))
}

/// What a command gets for a condition of a file with RLSACCESS(YES) or another one.
pub(super) fn answer(file: &str, rls: bool, condition: &Condition) -> RegionAnswer {
    let (resp, resp2) = match condition {
        Condition::NotFound => (Resp::NOTFND, 80),
        Condition::Duplicate => (Resp::DUPREC, 150),
        Condition::Length { .. } => (Resp::LENGERR, 12),
        Condition::ReadOnly => (Resp::INVREQ, 20),
        Condition::KeyChanged => (Resp::INVREQ, 46),
        Condition::Invalid(_) => (Resp::ILLOGIC, 110),
        Condition::NoSpace(_) => (Resp::NOSPACE, 100),
        Condition::Locked => (Resp::LOCKED, 106),
        Condition::Busy => (Resp::RECORDBUSY, 107),
        Condition::Damaged(_) => (Resp::ILLOGIC, 110),
        Condition::Io(_) => (Resp::IOERR, 120),
        Condition::NoDataset(_) | Condition::Exists(_) | Condition::Refused(_) => {
            (Resp::NOTOPEN, 60)
        }
        Condition::Timeout if rls => return abend(b"AFCV", file, condition),
        // A wait for a record ends as a wait for any resource does.
        Condition::Timeout => return abend(b"AKCS", file, condition),
        Condition::Deadlock if rls => return abend(b"AFCW", file, condition),
        Condition::Deadlock => return abend(b"AFCF", file, condition),
        Condition::Released => return abend(b"AKC3", file, condition),
    };
    let text = match condition {
        // Ordinary answers of a file say nothing to the operator.
        Condition::NotFound | Condition::Duplicate | Condition::Busy => String::new(),
        _ => messages::fc::condition(file, condition).to_string(),
    };
    RegionAnswer::refused(resp, resp2, text)
}

fn abend(code: &[u8], file: &str, condition: &Condition) -> RegionAnswer {
    let text = messages::fc::task_ended_at_record(file, condition);
    RegionAnswer::abend(AbendCode::from_field(code), text)
}
