//! DECLARE, OPEN, FETCH, CLOSE.

use super::parser::{Parsed, Parser};
use super::verbs::Verb;
use crate::statement::{
    Cursor, CursorSource, Fetch, Kind, Orientation, Position, Role, Scroll, Tree, Using,
};

impl Parser<'_> {
    /// DECLARE of a cursor, a table, statements, variables, a section, a temporary table.
    pub(super) fn declare(&mut self) -> Parsed<Verb> {
        self.expect("DECLARE")?;
        if self.is_host() {
            return self.declare_variable();
        }
        if self.eat_all(&["GLOBAL", "TEMPORARY", "TABLE"]) {
            return self.declare_temporary();
        }
        // The name of a table may have a qualifier; cursors and statements have none.
        if self.is_declared_table() {
            return self.declare_table();
        }
        let mut names = vec![self.object()?];
        while self.eat_symbol(",") {
            names.push(self.object()?);
        }
        if self.eat("STATEMENT") {
            return Ok((Kind::DeclareStatement(names), Tree::None));
        }
        if names.len() > 1 {
            return Err(self.illegal("STATEMENT"));
        }
        self.declare_cursor(names.remove(0))
    }

    fn declare_cursor(&mut self, name: String) -> Parsed<Verb> {
        let mut cursor = Cursor {
            name,
            hold: false,
            returns: false,
            rowset: false,
            scroll: Scroll::No,
            source: CursorSource::Query,
            update: None,
            read_only: false,
            isolation: None,
        };
        self.scroll(&mut cursor)?;
        self.expect("CURSOR")?;
        self.cursor_options(&mut cursor)?;
        self.expect("FOR")?;
        if !self.is_any(&["SELECT", "WITH"]) && !self.is_symbol("(") {
            cursor.source = CursorSource::Prepared(self.object()?);
            return Ok((Kind::DeclareCursor(cursor), Tree::None));
        }
        let query = self.query()?;
        cursor.update.clone_from(&query.tail.update);
        cursor.read_only = query.tail.read_only;
        cursor.isolation = query.tail.isolation;
        Ok((Kind::DeclareCursor(cursor), Tree::Query(Box::new(query))))
    }

    fn scroll(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        if self.eat_all(&["NO", "SCROLL"]) {
            return Ok(());
        }
        cursor.scroll = if self.eat("ASENSITIVE") {
            Scroll::Asensitive
        } else if self.eat("INSENSITIVE") {
            Scroll::Insensitive
        } else if self.eat("SENSITIVE") {
            if self.eat("DYNAMIC") {
                Scroll::SensitiveDynamic
            } else {
                self.eat("STATIC");
                Scroll::SensitiveStatic
            }
        } else if self.is("SCROLL") {
            Scroll::Asensitive
        } else {
            return Ok(());
        };
        self.expect("SCROLL")
    }

    /// WITH HOLD, WITH RETURN, WITH ROWSET POSITIONING, in any order; several may share one WITH.
    fn cursor_options(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        loop {
            if self.eat_all(&["WITH", "HOLD"]) {
                cursor.hold = true;
            } else if self.eat_all(&["WITHOUT", "HOLD"]) {
                cursor.hold = false;
            } else if self.eat_all(&["WITH", "RETURN"]) {
                cursor.returns = true;
                if self.eat("TO") && self.eat_any(&["CALLER", "CLIENT"]).is_none() {
                    return Err(self.illegal("CALLER CLIENT"));
                }
            } else if self.eat_all(&["WITHOUT", "RETURN"]) {
                cursor.returns = false;
            } else if self.eat_all(&["WITH", "ROWSET", "POSITIONING"]) {
                cursor.rowset = true;
            } else if self.eat_all(&["WITHOUT", "ROWSET", "POSITIONING"]) {
                cursor.rowset = false;
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn open(&mut self) -> Parsed<Verb> {
        self.expect("OPEN")?;
        let cursor = self.object()?;
        let using = self.using()?;
        Ok((Kind::Open { cursor, using }, Tree::None))
    }

    /// USING of values that go in.
    pub(super) fn using(&mut self) -> Parsed<Using> {
        if !self.eat("USING") {
            return Ok(Using::None);
        }
        self.hosts_or_descriptor(Role::Input)
    }

    fn hosts_or_descriptor(&mut self, role: Role) -> Parsed<Using> {
        if self.eat("DESCRIPTOR") {
            return Ok(Using::Descriptor(self.host(Role::Descriptor)?));
        }
        Ok(Using::Hosts(self.hosts(role)?))
    }

    pub(super) fn close(&mut self) -> Parsed<Verb> {
        self.expect("CLOSE")?;
        let cursor = self.object()?;
        Ok((Kind::Close { cursor }, Tree::None))
    }

    pub(super) fn fetch(&mut self) -> Parsed<Verb> {
        self.expect("FETCH")?;
        let continues = self.eat_all(&["WITH", "CONTINUE"]);
        // What a cursor sees is said again, and can only be what its declaration allows.
        let sensitive = self.eat_any(&["INSENSITIVE", "SENSITIVE"]);
        let (orientation, rowset) = self.orientation()?;
        let continues = self.eat("CONTINUE") || continues;
        self.eat("FROM");
        let cursor = self.object()?;
        let mut rows = None;
        if self.eat("FOR") {
            rows = Some(self.number_or_host(Role::Control)?);
            self.rows_word()?;
        }
        let into = if self.eat("INTO") {
            if self.is("DESCRIPTOR") {
                self.hosts_or_descriptor(Role::Output)?
            } else {
                Using::Hosts(self.hosts(Role::Output)?)
            }
        } else if self.eat("USING") {
            self.hosts_or_descriptor(Role::Output)?
        } else {
            Using::None
        };
        let rowset = (rowset || rows.is_some()).then_some(rows);
        let fetch = Fetch {
            cursor,
            orientation,
            rowset,
            into,
            continues,
            sensitive: sensitive.map(|word| word == "SENSITIVE"),
        };
        Ok((Kind::Fetch(fetch), Tree::None))
    }

    /// The position, and whether it is one of rowsets.
    fn orientation(&mut self) -> Parsed<(Orientation, bool)> {
        for (row, rowset, orientation) in [
            ("NEXT", "NEXT", Orientation::Next),
            ("PRIOR", "PRIOR", Orientation::Prior),
            ("FIRST", "FIRST", Orientation::First),
            ("LAST", "LAST", Orientation::Last),
            ("CURRENT", "CURRENT", Orientation::Current),
        ] {
            if self.eat_all(&[rowset, "ROWSET"]) {
                return Ok((orientation, true));
            }
            // A cursor may have such a word as its name: another name or FROM follows a position.
            if self.is(row) && self.is_followed_by_cursor() {
                self.advance();
                return Ok((orientation, false));
            }
        }
        if self.eat_all(&["ROWSET", "STARTING", "AT"]) {
            let absolute = self.is("ABSOLUTE");
            self.advance();
            return Ok((self.position(absolute)?, true));
        }
        if self.is_any(&["BEFORE", "AFTER"]) && self.is_followed_by_cursor() {
            return Ok((
                if self.eat("BEFORE") {
                    Orientation::Before
                } else {
                    self.advance();
                    Orientation::After
                },
                false,
            ));
        }
        if self.eat("ABSOLUTE") {
            return Ok((self.position(true)?, false));
        }
        if self.eat("RELATIVE") {
            return Ok((self.position(false)?, false));
        }
        Ok((Orientation::Next, false))
    }

    fn is_followed_by_cursor(&self) -> bool {
        use crate::lexer::TokenKind::{Delimited, Word};
        let next = self.peek_at(1);
        next.is_some_and(|t| {
            matches!(t.kind, Word | Delimited) && !["INTO", "FOR", "USING"].iter().any(|w| t.is(w))
        })
    }

    fn position(&mut self, absolute: bool) -> Parsed<Orientation> {
        let position = if self.is_host() {
            Position::Host(self.host(Role::Control)?)
        } else {
            Position::Number(self.signed()?)
        };
        Ok(if absolute {
            Orientation::Absolute(position)
        } else {
            Orientation::Relative(position)
        })
    }
}
