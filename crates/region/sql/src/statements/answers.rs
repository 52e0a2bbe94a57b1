//! Answers to statements that several engines give.

use transom_sql::Type;
use transom_wire::sql::SqlAnswer;

/// An answer in words: the text of its code, and what the code does not tell.
pub(crate) fn reason(answer: &SqlAnswer) -> String {
    let text = transom_sql::text(answer.code, &answer.tokens);
    match answer.text.as_str() {
        "" => text,
        more => format!("{text} ({more})"),
    }
}

/// An answer with the state of its code; of -438 the one that was raised with it.
pub(crate) fn coded(code: i32, mut tokens: Vec<String>) -> SqlAnswer {
    let raised = match code {
        -438 if tokens.len() > 1 => tokens.pop(),
        -802 if tokens.first().is_some_and(|what| what == "ZERO DIVIDE") => {
            Some("22012".to_owned())
        }
        _ => None,
    };
    let known = raised.as_deref().unwrap_or(transom_sql::state(code));
    let state = known.as_bytes().try_into().unwrap_or(*b"58004");
    SqlAnswer {
        tokens,
        ..SqlAnswer::of(code, state)
    }
}

/// A value of a program that its place does not take: -302 of a number has a state of its own.
pub(crate) fn not_taken(code: i32, n: usize, kind: Type) -> SqlAnswer {
    let mut answer = coded(code, vec![n.to_string()]);
    if code == -302 && kind.is_number() {
        answer.state = *b"22003";
    }
    answer
}

/// -923: there is no engine that a statement could be run on, and nothing was lost.
pub(crate) fn not_up(text: &str) -> SqlAnswer {
    let tokens = ["DB2 NOT UP", "00000000", "00000000", ""].map(str::to_owned);
    SqlAnswer {
        text: text.to_owned(),
        ..coded(-923, tokens.to_vec())
    }
}

/// An engine as what is not available, in words of Db2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resource(pub(crate) &'static str);

impl Resource {
    /// -904 with a reason.
    pub(crate) fn unavailable(self, reason: &str, text: &str) -> SqlAnswer {
        let tokens = [reason, "00000300", self.0].map(str::to_owned);
        SqlAnswer {
            text: text.to_owned(),
            ..coded(-904, tokens.to_vec())
        }
    }

    /// -911 or -913 after a time-out.
    pub(crate) fn timed_out(self, code: i32) -> SqlAnswer {
        self.waited(code, 0x00C9_008E)
    }

    /// -911 or -913 after a deadlock.
    pub(crate) fn deadlock(self, code: i32) -> SqlAnswer {
        self.waited(code, 0x00C9_0088)
    }

    /// Reason, type and name of what was waited for. SQLERRD(3) has the reason too.
    fn waited(self, code: i32, reason: u32) -> SqlAnswer {
        let tokens = [format!("{reason:08X}"), "00000210".into(), self.0.into()];
        SqlAnswer {
            count: reason,
            ..coded(code, tokens.to_vec())
        }
    }
}
