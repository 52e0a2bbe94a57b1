//! The line that a finding is about, with a caret below its column.
//!
//! Why: a line number makes the reader open the file; the line itself mostly says what is wrong.
//! Not here: where problems are found; findings already begin with `file:line:column: `.

use std::path::{Component, Path};
use transom_copybook::CodePage;
use transom_system::read_source;

/// Longest file that is looked into.
const FILE_MAX: u64 = 16 << 20;
/// Columns of a line that are shown.
const SHOWN_MAX: usize = 120;

/// A finding with its line below, where it has one that can be read.
pub(crate) fn with_line(root: &Path, page: &CodePage, text: &str) -> String {
    below(root, page, text).map_or_else(|| text.to_owned(), |more| format!("{text}\n{more}"))
}

fn below(root: &Path, page: &CodePage, text: &str) -> Option<String> {
    // Either `PLACE: TXM...` or, of archives and server.xml, `TXM... PLACE: words`.
    let (place, _) = match text.starts_with("TXM") {
        true => text.split_once(' ')?.1.split_once(": ")?,
        false => text.split_once(": TXM")?,
    };
    let (front, last) = place.rsplit_once(':')?;
    let last: usize = last.parse().ok()?;
    let (file, line, column) = match front.rsplit_once(':').map(|(f, n)| (f, n.parse::<usize>())) {
        Some((file, Ok(line))) => (file, line, Some(last)),
        _ => (front, last, None),
    };
    let path = Path::new(file);
    let inside = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = root.join(path);
    let is_short = path
        .metadata()
        .is_ok_and(|file| file.is_file() && file.len() <= FILE_MAX);
    if !inside || !is_short {
        return None;
    }
    let (source, _) = read_source(&path, file, page).ok()?;
    let line_text = source.lines().nth(line.checked_sub(1)?)?;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = line_text
        .trim_end()
        .chars()
        .map(plain)
        .take(SHOWN_MAX)
        .collect();
    let mut more = format!("{line:>6} | {shown}");
    if let Some(column) = column.filter(|column| (1..=SHOWN_MAX).contains(column)) {
        more.push_str(&format!("\n       | {:>column$}", '^'));
    }
    Some(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_shows_its_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cobol")).unwrap();
        let source = "       ID DIVISION.\n\tMOVE A TO RESULT-KODE.\n";
        std::fs::write(folder.path().join("cobol/PAY.cbl"), source).unwrap();
        let shown = |text: &str| with_line(folder.path(), CodePage::all()[0], text);
        let text = "cobol/PAY.cbl:2:12: TXMTR0040E 'RESULT-KODE' is not defined";
        let expected = format!("{text}\n     2 |  MOVE A TO RESULT-KODE.\n       |            ^");
        assert_eq!(shown(text), expected);
        std::fs::write(folder.path().join("server.xml"), "<server>\n <a></b>\n").unwrap();
        let text = "TXMAD0005E server.xml:2:5: expected `</a>`";
        assert_eq!(
            shown(text),
            format!("{text}\n     2 |  <a></b>\n       |     ^")
        );
        let text = "cobol/PAY.cbl:1: TXMTR0001E it";
        assert_eq!(shown(text), format!("{text}\n     1 |        ID DIVISION."));
        for text in [
            "cobol/PAY.cbl:9: TXMTR0001E it",
            "../cobol/PAY.cbl:1: TXMTR0001E it",
            "cobol:1: TXMTR0001E it",
            "TXMTR0001E it",
        ] {
            assert_eq!(shown(text), text);
        }
    }
}
