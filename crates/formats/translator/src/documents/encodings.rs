//! In which characters a document is, by its item and by ENCODING.
//!
//! Not here: what the characters are (`transom_documents`).

use super::calls::Calls;
use super::parsing::Encoding;
use transom_documents::Characters;

/// The characters of a document, and items that its first step is given for them.
pub(super) fn characters(
    encoding: &Encoding,
    national: bool,
    absent: Characters,
    out: &mut Calls,
    items: &mut Vec<String>,
) -> Result<Characters, String> {
    match encoding {
        Encoding::Absent if national => Ok(Characters::National),
        _ if national => Err("ENCODING of a national document".to_owned()),
        Encoding::Absent => Ok(absent),
        Encoding::FromCodepage => Ok(Characters::Programs),
        Encoding::Literal(number) => {
            Characters::of_ccsid(*number).ok_or_else(|| format!("ENCODING {number}"))
        }
        Encoding::Item(item) => {
            out.write(&format!("MOVE {} TO TXM-DOC-COUNT", item.written));
            items.push("TXM-DOC-COUNT".to_owned());
            Ok(Characters::Numbered)
        }
    }
}
