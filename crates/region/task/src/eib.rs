//! The exec interface block: 85 bytes every program sees as DFHEIBLK.
//!
//! What: its layout, what commands store in it, what supplied programs read of it. Why one file:
//! the copybook the translator inserts and these offsets must agree. Binary fields are big-endian,
//! dates packed decimal.
//! Source: the public description of the EIB fields in the CICS application programming reference.

use transom_commands::CommandId;
use transom_types::calendar::DateTime;
use transom_types::{ReqId, Resp, TermId, TransId};

/// Length of the block.
pub const EIB_BYTES: usize = 85;

const TIME: usize = 0;
const DATE: usize = 4;
const TRNID: usize = 8;
const TASKN: usize = 12;
const TRMID: usize = 16;
const CPOSN: usize = 22;
const CALEN: usize = 24;
const AID: usize = 26;
const FN: usize = 27;
const RCODE: usize = 29;
const DS: usize = 35;
const REQID: usize = 43;
const RSRCE: usize = 51;
const EOC: usize = 64;
const COMPL: usize = 66;
const SIG: usize = 67;
const RESP: usize = 76;
const RESP2: usize = 80;

/// Fields as people are shown them: name, offset, bytes.
#[rustfmt::skip]
pub const FIELDS: [(&str, usize, usize); 16] = [
    ("EIBTIME", TIME, 4), ("EIBDATE", DATE, 4), ("EIBTRNID", TRNID, 4), ("EIBTASKN", TASKN, 4),
    ("EIBTRMID", TRMID, 4), ("EIBCPOSN", CPOSN, 2), ("EIBCALEN", CALEN, 2), ("EIBAID", AID, 1),
    ("EIBFN", FN, 2), ("EIBRCODE", RCODE, 6), ("EIBDS", DS, 8), ("EIBREQID", REQID, 8),
    ("EIBRSRCE", RSRCE, 8), ("EIBEOC", EOC, 1), ("EIBRESP", RESP, 4), ("EIBRESP2", RESP2, 4),
];

/// EIBTRNID; blank where there is no block.
pub fn transid(eib: &[u8]) -> TransId {
    TransId::from_field(eib.get(TRNID..TRNID + 4).unwrap_or_default())
}

/// EIBTRMID; blank without terminal.
pub fn terminal(eib: &[u8]) -> TermId {
    TermId::from_field(eib.get(TRMID..TRMID + 4).unwrap_or_default())
}

/// EIBAID and EIBCPOSN; 0 when no key has started the task.
pub fn input(eib: &[u8]) -> (u8, u16) {
    let block = eib.first_chunk::<EIB_BYTES>();
    block.map_or((0, 0), |eib| {
        (eib[AID], u16::from_be_bytes([eib[CPOSN], eib[CPOSN + 1]]))
    })
}

/// The block of a new task; without terminal EIBTRMID and EIBAID stay low values.
pub fn start(eib: &mut [u8], transid: TransId, task_number: u32, now: &DateTime) {
    let Some(eib) = block(eib) else { return };
    eib.fill(0);
    eib[TRNID..TRNID + 4].copy_from_slice(transid.as_bytes());
    eib[TASKN..TASKN + 4].copy_from_slice(&packed7(task_number));
    set_time(eib, now);
}

/// EIBTIME and EIBDATE.
pub fn set_time(eib: &mut [u8], now: &DateTime) {
    let Some(eib) = block(eib) else { return };
    let time = now.hour * 10_000 + now.minute * 100 + now.second;
    let century = now.year.saturating_sub(1900) / 100;
    let date = century * 100_000 + now.year % 100 * 1_000 + now.day_of_year;
    eib[TIME..TIME + 4].copy_from_slice(&packed7(time));
    eib[DATE..DATE + 4].copy_from_slice(&packed7(date));
}

/// EIBCALEN; the field is signed, so a longer area shows as its low 16 bits.
pub fn set_commarea_bytes(eib: &mut [u8], bytes: usize) {
    let Some(eib) = block(eib) else { return };
    eib[CALEN..CALEN + 2].copy_from_slice(&(bytes as u16).to_be_bytes());
}

/// EIBTRMID: the task has this terminal.
pub fn set_terminal(eib: &mut [u8], terminal: TermId) {
    let Some(eib) = block(eib) else { return };
    eib[TRMID..TRMID + 4].copy_from_slice(terminal.as_bytes());
}

/// EIBAID and EIBCPOSN; the key as programs see it.
pub fn set_input(eib: &mut [u8], aid: u8, cursor: u16) {
    let Some(eib) = block(eib) else { return };
    eib[AID] = aid;
    eib[CPOSN..CPOSN + 2].copy_from_slice(&cursor.to_be_bytes());
}

/// EIBEOC and EIBCOMPL: a RECEIVE got the end of the input, and `complete` all of it.
pub fn set_end_of_chain(eib: &mut [u8], complete: bool) {
    let Some(eib) = block(eib) else { return };
    eib[EOC] = 0xFF;
    eib[COMPL] = if complete { 0xFF } else { 0 };
}

/// EIBSIG: the Attn key was pressed.
pub fn set_signal(eib: &mut [u8]) {
    let Some(eib) = block(eib) else { return };
    eib[SIG] = 0xFF;
}

/// EIBFN at the start of a command.
pub fn set_function(eib: &mut [u8], code: [u8; 2]) {
    let Some(eib) = block(eib) else { return };
    eib[FN..FN + 2].copy_from_slice(&code);
}

/// EIBRSRCE: the first eight bytes of the resource's name.
pub fn set_resource(eib: &mut [u8], name: &[u8]) {
    let Some(eib) = block(eib) else { return };
    let field = &mut eib[RSRCE..RSRCE + 8];
    field.fill(b' ');
    let bytes = name.len().min(8);
    field[..bytes].copy_from_slice(&name[..bytes]);
}

/// EIBDS: the file of the last file control command, eight bytes.
pub fn set_file(eib: &mut [u8], name: &[u8]) {
    let Some(eib) = block(eib) else { return };
    for (to, from) in eib[DS..DS + 8].iter_mut().zip(name) {
        *to = *from;
    }
}

/// EIBREQID; `None` where there is no block.
pub fn reqid(eib: &[u8]) -> Option<[u8; 8]> {
    eib.get(REQID..REQID + 8)?.try_into().ok()
}

/// EIBREQID.
pub fn set_reqid(eib: &mut [u8], name: ReqId) {
    let Some(eib) = block(eib) else { return };
    eib[REQID..REQID + 8].copy_from_slice(name.as_bytes());
}

/// EIBRESP, EIBRESP2 and EIBRCODE at the end of a command.
pub fn set_response(eib: &mut [u8], resp: Resp, resp2: u32) {
    let Some(eib) = block(eib) else { return };
    let function = eib[FN];
    eib[RESP..RESP + 4].copy_from_slice(&u32::from(resp.0).to_be_bytes());
    eib[RESP2..RESP2 + 4].copy_from_slice(&resp2.to_be_bytes());
    eib[RCODE..RCODE + 6].fill(0);
    if resp == Resp::NORMAL {
        return;
    }
    if let Some((at, code)) = rcode(function, resp) {
        eib[RCODE + at] = code;
    }
}

/// EIBRCODE of INQUIRE, SET, PERFORM, DISCARD and CSD: the first word is the RESP value.
pub fn set_response_word(eib: &mut [u8], command: CommandId, resp: Resp) {
    const VERBS: [&str; 5] = ["INQUIRE", "SET", "PERFORM", "DISCARD", "CSD"];
    if resp == Resp::NORMAL {
        return;
    }
    let command = transom_commands::command(command);
    let verb = command.and_then(|command| command.words.first());
    let Some(eib) = block(eib).filter(|_| verb.is_some_and(|verb| VERBS.contains(verb))) else {
        return;
    };
    eib[RCODE..RCODE + 6].fill(0);
    eib[RCODE..RCODE + 4].copy_from_slice(&u32::from(resp.0).to_be_bytes());
}

/// EIBRSRCE, EIBRESP and EIBRESP2.
pub fn outcome(eib: &[u8]) -> ([u8; 8], (Resp, u32)) {
    let Some(eib) = eib.first_chunk::<EIB_BYTES>() else {
        return ([b' '; 8], (Resp::NORMAL, 0));
    };
    let mut resource = [0; 8];
    resource.copy_from_slice(&eib[RSRCE..RSRCE + 8]);
    let word = |at: usize| u32::from_be_bytes([eib[at], eib[at + 1], eib[at + 2], eib[at + 3]]);
    (resource, (Resp(word(RESP) as u16), word(RESP2)))
}

fn block(eib: &mut [u8]) -> Option<&mut [u8; EIB_BYTES]> {
    eib.first_chunk_mut()
}

/// Seven digits, positive, packed.
pub fn packed7(value: u32) -> [u8; 4] {
    let mut packed = 0u32;
    let mut rest = value % 10_000_000;
    for shift in 1..=7 {
        packed |= (rest % 10) << (4 * shift);
        rest /= 10;
    }
    (packed | 0x0C).to_be_bytes()
}

/// The byte of EIBRCODE that a condition sets, and its value, by group of commands (first byte of
/// EIBFN), where it is published.
fn rcode(function: u8, resp: Resp) -> Option<(usize, u8)> {
    let first = RCODES
        .iter()
        .find(|(group, condition, _)| *group == function && *condition == resp);
    let later = LATER_RCODES
        .iter()
        .find(|(group, condition, ..)| *group == function && *condition == resp);
    let first = first.map(|row| (0, row.2));
    first.or_else(|| later.map(|row| (row.2, row.3)))
}

/// Conditions that do not show in the first byte: its place behind it.
#[rustfmt::skip]
const LATER_RCODES: &[(u8, Resp, usize, u8)] = &[
    (0x04, Resp::EOC, 1, 0x20), (0x04, Resp::INBFMH, 2, 0x40),
    (0x18, Resp::PARTNFAIL, 1, 0x02), (0x18, Resp::INVPARTN, 1, 0x04),
    (0x18, Resp::INVPARTNSET, 1, 0x08), (0x18, Resp::INVLDC, 1, 0x10),
    (0x18, Resp::UNEXPIN, 1, 0x20), (0x18, Resp::IGREQCD, 1, 0x40),
    (0x18, Resp::TSIOERR, 2, 0x01), (0x18, Resp::OVERFLOW, 2, 0x02), (0x18, Resp::EODS, 2, 0x04),
    (0x18, Resp::EOC, 2, 0x08), (0x18, Resp::IGREQID, 2, 0x10),
];

#[rustfmt::skip]
const RCODES: &[(u8, Resp, u8)] = &[
    (0x02, Resp::INVREQ, 0xE0),
    (0x04, Resp::EOF, 0x04), (0x04, Resp::EODS, 0x10), (0x04, Resp::ENDINPT, 0xC2),
    (0x04, Resp::SYSIDERR, 0xD0), (0x04, Resp::SESSIONERR, 0xD2), (0x04, Resp::SYSBUSY, 0xD3),
    (0x04, Resp::SESSBUSY, 0xD4), (0x04, Resp::NOTALLOC, 0xD5), (0x04, Resp::INVREQ, 0xE0),
    (0x04, Resp::LENGERR, 0xE1), (0x04, Resp::WRBRK, 0xE3), (0x04, Resp::RDATT, 0xE4),
    (0x04, Resp::SIGNAL, 0xE5), (0x04, Resp::TERMIDERR, 0xE6), (0x04, Resp::NOPASSBKRD, 0xE7),
    (0x04, Resp::NOPASSBKWR, 0xE8), (0x04, Resp::IGREQCD, 0xEA), (0x04, Resp::CBIDERR, 0xEB),
    (0x04, Resp::TERMERR, 0xF1),
    (0x18, Resp::INVREQ, 0x01), (0x18, Resp::RETPAGE, 0x02), (0x18, Resp::MAPFAIL, 0x04),
    (0x18, Resp::INVMPSZ, 0x08), (0x18, Resp::INVERRTERM, 0x20), (0x18, Resp::RTESOME, 0x40),
    (0x18, Resp::RTEFAIL, 0x80), (0x18, Resp::LENGERR, 0xE1), (0x18, Resp::WRBRK, 0xE3),
    (0x18, Resp::RDATT, 0xE4),
    (0x06, Resp::FILENOTFOUND, 0x01), (0x06, Resp::ILLOGIC, 0x02), (0x06, Resp::INVREQ, 0x08),
    (0x06, Resp::NOTOPEN, 0x0C), (0x06, Resp::DISABLED, 0x0D), (0x06, Resp::ENDFILE, 0x0F),
    (0x06, Resp::IOERR, 0x80), (0x06, Resp::NOTFND, 0x81), (0x06, Resp::DUPREC, 0x82),
    (0x06, Resp::NOSPACE, 0x83), (0x06, Resp::DUPKEY, 0x84), (0x06, Resp::SYSIDERR, 0xD0),
    (0x06, Resp::ISCINVREQ, 0xD1), (0x06, Resp::NOTAUTH, 0xD6), (0x06, Resp::LENGERR, 0xE1),
    (0x08, Resp::QZERO, 0x01), (0x08, Resp::QIDERR, 0x02), (0x08, Resp::IOERR, 0x04),
    (0x08, Resp::NOTOPEN, 0x08), (0x08, Resp::NOSPACE, 0x10), (0x08, Resp::QBUSY, 0xC0),
    (0x08, Resp::SYSIDERR, 0xD0), (0x08, Resp::ISCINVREQ, 0xD1), (0x08, Resp::NOTAUTH, 0xD6),
    (0x08, Resp::LENGERR, 0xE1),
    (0x0A, Resp::ITEMERR, 0x01), (0x0A, Resp::QIDERR, 0x02), (0x0A, Resp::IOERR, 0x04),
    (0x0A, Resp::NOSPACE, 0x08), (0x0A, Resp::INVREQ, 0x20), (0x0A, Resp::SYSIDERR, 0xD0),
    (0x0A, Resp::ISCINVREQ, 0xD1), (0x0A, Resp::NOTAUTH, 0xD6), (0x0A, Resp::LENGERR, 0xE1),
    (0x0C, Resp::LENGERR, 0xE1), (0x0C, Resp::NOSTG, 0xE2),
    (0x0E, Resp::PGMIDERR, 0x01), (0x0E, Resp::NOTAUTH, 0xD6), (0x0E, Resp::INVREQ, 0xE0),
    (0x10, Resp::ENDDATA, 0x01), (0x10, Resp::IOERR, 0x04), (0x10, Resp::TRANSIDERR, 0x11),
    (0x10, Resp::TERMIDERR, 0x12), (0x10, Resp::INVTSREQ, 0x14), (0x10, Resp::EXPIRED, 0x20),
    (0x10, Resp::NOTFND, 0x81), (0x10, Resp::SYSIDERR, 0xD0), (0x10, Resp::ISCINVREQ, 0xD1),
    (0x10, Resp::NOTAUTH, 0xD6), (0x10, Resp::LENGERR, 0xE1), (0x10, Resp::ENVDEFERR, 0xE9),
    (0x10, Resp::INVREQ, 0xFF),
    (0x12, Resp::ENQBUSY, 0x32), (0x12, Resp::INVREQ, 0xE0), (0x12, Resp::LENGERR, 0xE1),
    (0x14, Resp::JIDERR, 0x01), (0x14, Resp::INVREQ, 0x02), (0x14, Resp::NOTOPEN, 0x05),
    (0x14, Resp::LENGERR, 0x06), (0x14, Resp::IOERR, 0x07), (0x14, Resp::NOJBUFSP, 0x09),
    (0x14, Resp::NOTAUTH, 0xD6),
    (0x16, Resp::ROLLEDBACK, 0x01), (0x4A, Resp::INVREQ, 0x01),
];

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::cmd;

    #[test]
    fn block_is_laid_out_as_dfheiblk() {
        let mut eib = [0xFFu8; EIB_BYTES];
        let now = DateTime::from_abstime(4_004_512_496_000);
        start(&mut eib, TransId::new("INQ1").unwrap(), 1_234_567, &now);
        let (date, time) = (now.day_of_year + 1_000 * (now.year % 100), now.hour);
        assert_eq!(&eib[4..8], packed7(100_000 + date));
        assert_eq!(eib[0], (time / 10) as u8);
        assert_eq!(&eib[8..12], b"INQ1");
        assert_eq!(&eib[12..16], [0x12, 0x34, 0x56, 0x7C]);
        set_commarea_bytes(&mut eib, 300);
        assert_eq!(&eib[24..26], [1, 44]);
        set_function(&mut eib, [0x0E, 0x02]);
        set_resource(&mut eib, b"PAYROLL");
        set_response(&mut eib, Resp::PGMIDERR, 3);
        assert_eq!((&eib[27..29], eib[29]), (&[0x0E, 0x02][..], 1));
        assert_eq!(&eib[51..59], b"PAYROLL ");
        assert_eq!(
            (&eib[76..80], &eib[80..84]),
            (&[0, 0, 0, 27][..], &[0, 0, 0, 3][..])
        );
        set_function(&mut eib, [0x18, 0x02]);
        set_response(&mut eib, Resp::MAPFAIL, 0);
        assert_eq!(&eib[29..35], [4, 0, 0, 0, 0, 0]);
        set_response(&mut eib, Resp::OVERFLOW, 0);
        assert_eq!(&eib[29..35], [0, 0, 2, 0, 0, 0]);
        set_function(&mut eib, [0x04, 0x04]);
        set_response(&mut eib, Resp::TERMERR, 0);
        assert_eq!(&eib[29..35], [0xF1, 0, 0, 0, 0, 0]);
        set_response(&mut eib, Resp::END, 2);
        set_response_word(&mut eib, cmd::SEND, Resp::END);
        assert_eq!(&eib[29..35], [0; 6], "no command of system programming");
        set_response_word(&mut eib, cmd::INQUIRE_FILE, Resp::END);
        assert_eq!(
            &eib[29..35],
            [0, 0, 0, 83, 0, 0],
            "INQUIRE shows the RESP value"
        );
        set_response(&mut eib, Resp::NORMAL, 0);
        assert_eq!((eib[29], &eib[76..84]), (0, &[0; 8][..]));
    }

    /// The conditions of the page of system commands, for each of these commands.
    #[test]
    fn system_commands_have_the_number_of_the_condition_in_the_first_word() {
        let published = [
            128, 119, 93, 14, 120, 83, 12, 21, 126, 16, 17, 43, 22, 100, 95, 18, 42, 70, 13, 97,
            27, 98, 44, 59, 53, 91, 92, 11, 28, 102, 69, 71,
        ];
        let verbs = ["CSD", "DISCARD", "INQUIRE", "PERFORM", "SET"];
        let is_one = |c: &&transom_commands::Command| verbs.contains(&c.words[0]);
        let commands = transom_commands::all().iter().filter(is_one);
        let mut eib = [0; EIB_BYTES];
        let mut seen = 0;
        for command in commands {
            set_function(&mut eib, command.fn_code.unwrap_or_default());
            for resp in published {
                set_response(&mut eib, Resp(resp), 1);
                set_response_word(&mut eib, command.id, Resp(resp));
                let wanted = [0, 0, 0, resp as u8, 0, 0];
                assert_eq!(eib[RCODE..RCODE + 6], wanted, "{}", command.name);
                seen += 1;
            }
        }
        assert!(seen > 4_000, "{seen}");
    }

    #[test]
    fn a_condition_shows_where_its_group_has_it() {
        #[rustfmt::skip]
        let rows = [
            (cmd::SEND_MAP, Resp::INVREQ, [1, 0, 0]), (cmd::RECEIVE_MAP, Resp::MAPFAIL, [4, 0, 0]),
            (cmd::SEND_MAP, Resp::INVMPSZ, [8, 0, 0]), (cmd::SEND_PAGE, Resp::RETPAGE, [2, 0, 0]),
            (cmd::ROUTE, Resp::INVERRTERM, [0x20, 0, 0]), (cmd::ROUTE, Resp::RTESOME, [0x40, 0, 0]),
            (cmd::ROUTE, Resp::RTEFAIL, [0x80, 0, 0]), (cmd::SEND_MAP, Resp::OVERFLOW, [0, 0, 2]),
            (cmd::ROUTE, Resp::INVLDC, [0, 0x10, 0]), (cmd::SEND_TEXT, Resp::IGREQID, [0, 0, 0x10]),
            (cmd::SEND, Resp::TERMERR, [0xF1, 0, 0]), (cmd::SEND, Resp::LENGERR, [0xE1, 0, 0]),
            (cmd::RECEIVE, Resp::EOC, [0, 0x20, 0]), (cmd::RECEIVE, Resp::INBFMH, [0, 0, 0x40]),
            (cmd::RECEIVE, Resp::SIGNAL, [0xE5, 0, 0]), (cmd::READ, Resp::INVREQ, [8, 0, 0]),
            (cmd::WRITE_JOURNALNAME, Resp::JIDERR, [1, 0, 0]),
            (cmd::FORMATTIME, Resp::INVREQ, [1, 0, 0]),
        ];
        let mut eib = [0; EIB_BYTES];
        for (id, resp, wanted) in rows {
            let command = transom_commands::command(id).unwrap();
            set_function(&mut eib, command.fn_code.unwrap());
            set_response(&mut eib, resp, 0);
            set_response_word(&mut eib, id, resp);
            assert_eq!(eib[RCODE..RCODE + 3], wanted, "{} {resp:?}", command.name);
        }
    }

    #[test]
    fn short_block_is_left_alone() {
        let mut eib = [7u8; 10];
        set_response(&mut eib, Resp::ERROR, 1);
        assert_eq!(eib, [7; 10]);
    }
}
