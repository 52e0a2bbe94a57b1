//! A program in the place of one that does not compile.
//!
//! Why: screens and programs around it can be tried. It never answers as if it had done something:
//! whoever calls it is told by the log and by an abend, or by a return code where there is no CICS.

/// Abend code of a stub.
const ABEND: &str = "STUB";

/// The source; `online` is whether the program had EXEC CICS.
pub(crate) fn source(name: &str, online: bool) -> String {
    let end = match online {
        true => format!("           EXEC CICS ABEND ABCODE('{ABEND}') END-EXEC.\n"),
        false => "           MOVE 16 TO RETURN-CODE.\n           GOBACK.\n".to_owned(),
    };
    format!(
        "      * A stub that transom import made: the source of this program\n      \
         * does not compile here. It lies in left-out/.\n       \
         IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       \
         PROCEDURE DIVISION.\n           \
         DISPLAY '{name} is a stub: its source does not compile'.\n{end}"
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_stub_says_what_it_is() {
        let text = super::source("PAY", true);
        assert!(
            text.contains("PAY is a stub") && text.contains("ABCODE('STUB')"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
    }
}
