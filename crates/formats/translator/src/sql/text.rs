//! The text of an EXEC SQL block, with the places of its words.

use crate::token::{At, Token};

/// A statement as one text.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Where each word begins, and where the user wrote it.
    words: Vec<(usize, At)>,
}

impl Text {
    /// Lines stay lines: a comment of SQL ends where its line does.
    pub(crate) fn of(body: &[Token]) -> Self {
        let mut text = String::new();
        let mut words = Vec::with_capacity(body.len());
        let mut line = None;
        for token in body {
            let here = (token.at.inclusion, token.at.line);
            match line {
                None => {}
                Some(last) if last != here => text.push('\n'),
                Some(_) if token.glued => {}
                Some(_) => text.push(' '),
            }
            line = Some(here);
            words.push((text.len(), token.at));
            text.push_str(&token.text);
        }
        Self { text, words }
    }

    /// The place of the word at an offset.
    pub(crate) fn place(&self, offset: usize, otherwise: At) -> At {
        let behind = self.words.partition_point(|(start, _)| *start <= offset);
        let word = behind.checked_sub(1).and_then(|n| self.words.get(n));
        word.map_or(otherwise, |(_, at)| *at)
    }
}
