//! COPY and EXEC SQL INCLUDE: puts copybooks in place of the statement.
//!
//! Why before anything else: copybooks hold EXEC blocks, and REPLACING may make DFHCOMMAREA.
//! Not here: where members lie ([`CopyLibrary`]).

use crate::CopyLibrary;
use crate::blocks::begins_block;
use crate::lexer::lex;
use crate::replace::{self, MAX_TOKENS, Pair};
use crate::system::{not_supplied, system_copybook};
use crate::token::{At, Kind, Session, Token};
use transom_messages as messages;

/// Copybooks inside copybooks.
pub(crate) const MAX_COPY_DEPTH: usize = 16;
/// COPY statements of one program, nested ones counted.
pub(crate) const MAX_COPIES: usize = 10_000;

/// Expands all COPY statements in words of one file.
pub(crate) struct Copier<'a> {
    pub(crate) library: &'a dyn CopyLibrary,
    pub(crate) session: &'a mut Session,
    /// Paths of copybooks, in order of first use.
    pub(crate) dependencies: Vec<String>,
    /// Members no library has.
    pub(crate) missing: Vec<String>,
    /// Words produced so far.
    pub(crate) produced: usize,
    /// Paths of the copybooks being expanded.
    pub(crate) open: Vec<String>,
    /// Format of the program, for copybooks that do not show theirs.
    pub(crate) free: Option<bool>,
}

/// A COPY statement.
struct Statement {
    name: String,
    library: Option<String>,
    pairs: Vec<Pair>,
    at: At,
    /// Index after the statement.
    end: usize,
}

impl Copier<'_> {
    pub(crate) fn expand(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let statement = if token.is_any(&["COPY", "++INCLUDE", "-INC"]) {
                self.statement(&tokens, at)
            } else if token.is_any(&["EXEC", "EXECUTE"]) {
                match self.include(&tokens, at) {
                    Some(found) => Some(found),
                    None => {
                        let end = block_end(&tokens, at);
                        out.extend_from_slice(&tokens[at..end]);
                        at = end;
                        continue;
                    }
                }
            } else {
                None
            };
            match statement {
                Some(statement) => {
                    at = statement.end;
                    out.extend(self.member(&statement));
                }
                None => {
                    out.push(token.clone());
                    at += 1;
                }
            }
        }
        out
    }

    /// `COPY name [IN library] [SUPPRESS] [REPLACING ...] .`
    fn statement(&mut self, tokens: &[Token], start: usize) -> Option<Statement> {
        let at = tokens[start].at;
        let name = tokens.get(start + 1)?;
        if !matches!(name.kind, Kind::Word | Kind::Literal) {
            return None;
        }
        let mut end = start + 2;
        let mut library = None;
        if tokens.get(end).is_some_and(|t| t.is_any(&["OF", "IN"])) {
            library = tokens.get(end + 1).map(unquoted);
            end += 2;
        }
        if tokens.get(end).is_some_and(|t| t.is("SUPPRESS")) {
            end += 1;
        }
        let mut pairs = Vec::new();
        if tokens.get(end).is_some_and(|t| t.is("REPLACING")) {
            (pairs, end) = replace::read_pairs(tokens, end + 1, self.session);
        }
        match tokens.get(end) {
            Some(token) if token.kind == Kind::Period => end += 1,
            _ if !tokens[start].is("COPY") => {}
            _ => self
                .session
                .problem(messages::tr::copy_without_period(), at),
        }
        let end = end.min(tokens.len());
        Some(Statement {
            name: unquoted(name),
            library,
            pairs,
            at,
            end,
        })
    }

    /// `EXEC SQL INCLUDE name END-EXEC [.]`
    fn include(&mut self, tokens: &[Token], start: usize) -> Option<Statement> {
        let [_, sql, include, name, end_exec] = tokens.get(start..start + 5)? else {
            return None;
        };
        if !(sql.is("SQL") && include.is("INCLUDE") && end_exec.is("END-EXEC")) {
            return None;
        }
        let mut end = start + 5;
        end += usize::from(tokens.get(end).is_some_and(|t| t.kind == Kind::Period));
        let at = tokens[start].at;
        Some(Statement {
            name: unquoted(name),
            library: None,
            pairs: Vec::new(),
            at,
            end,
        })
    }

    fn member(&mut self, statement: &Statement) -> Vec<Token> {
        let name = &statement.name;
        let own = self.library.find(name, statement.library.as_deref());
        let supplied = || system_copybook(name).map(|(path, text)| (path, text.to_owned()));
        let Some((path, text)) = own.or_else(supplied) else {
            let message = match not_supplied(name) {
                Some(why) => messages::tr::copybook_not_supplied(name, why),
                None => messages::tr::copybook_not_found(name),
            };
            self.session.problem(message, statement.at);
            self.missing.push(name.to_ascii_uppercase());
            return Vec::new();
        };
        let refused = if self.open.contains(&path) {
            Some(messages::tr::copies_itself(name))
        } else if self.open.len() >= MAX_COPY_DEPTH {
            Some(messages::tr::copies_too_deep(MAX_COPY_DEPTH))
        } else if self.session.inclusions.len() > MAX_COPIES || self.produced >= MAX_TOKENS {
            Some(messages::tr::copies_too_long())
        } else {
            None
        };
        if let Some(message) = refused {
            self.session.problem(message, statement.at);
            return Vec::new();
        }
        let parent = Some((statement.at.inclusion, statement.at.line));
        let inclusion = self.session.include(&path, &text, parent);
        if !self.dependencies.contains(&path) {
            self.dependencies.push(path.clone());
        }
        let free = self.free.filter(|_| text.lines().count() < 3);
        let lexed = lex(&text, inclusion, free, self.session);
        self.produced += lexed.tokens.len();
        self.open.push(path);
        let tokens = self.expand(lexed.tokens);
        self.open.pop();
        let tokens = replace::apply(tokens, &statement.pairs);
        self.produced += tokens.len();
        tokens
    }
}

fn unquoted(token: &Token) -> String {
    match token.kind {
        Kind::Literal => token.text.trim_matches(['\'', '"']).to_owned(),
        _ => token.text.to_string(),
    }
}

/// A COPY statement, and no word of SQL (CREATE INDEX COPY YES, GRANT COPY ON PACKAGE).
fn is_copy(block: &[Token], at: usize) -> bool {
    let behind = block.get(at + 2);
    let ends = |token: &Token| {
        token.kind == Kind::Period || token.is_any(&["IN", "OF", "REPLACING", "SUPPRESS"])
    };
    block[at].is("COPY") && behind.is_some_and(ends)
}

/// Index after the END-EXEC of a block; after EXEC alone when there is none near.
fn block_end(tokens: &[Token], start: usize) -> usize {
    let block = &tokens[start + 1..];
    let stop = |(at, token): (usize, &Token)| {
        // EXEC CICS ISSUE COPY is a command, and so is CSD COPY.
        let issued = at > 0 && block[at - 1].is("ISSUE");
        let command = token.is("COPY") && (issued || block.get(1).is_some_and(|t| t.is("CSD")));
        if block[0].is("SQL") {
            return token.is_any(&["END-EXEC", "DIVISION"])
                || begins_block(block, at)
                || is_copy(block, at);
        }
        !command && token.is_any(&["END-EXEC", "EXEC", "EXECUTE", "COPY", "DIVISION"])
    };
    match block.iter().enumerate().position(stop) {
        Some(n) if block[n].is("END-EXEC") => start + n + 2,
        _ => start + 1,
    }
}
