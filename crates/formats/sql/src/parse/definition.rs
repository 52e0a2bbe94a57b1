//! CREATE, ALTER, DROP, COMMENT, GRANT, and DECLARE TABLE.

use super::parser::{Parsed, Parser};
use super::verbs::Verb;
use crate::problem::SqlProblem;
use crate::statement::{Kind, Role, Tree};
use crate::tree::Name;
use crate::tree::definition::{Definition, Dropped, Index, NewTable};
use crate::tree::words::Numbers;
use crate::types::Type;

/// Objects that say where data lie; an engine decides that by itself.
const STORAGE: &[&str] = &["TABLESPACE", "DATABASE", "STOGROUP", "BUFFERPOOL"];

impl Parser<'_> {
    pub(super) fn definition(&mut self) -> Parsed<Verb> {
        let verb = self.any_word()?;
        match verb.as_str() {
            "CREATE" => self.create(),
            "ALTER" => self.alter(),
            "DROP" => self.drop_object(),
            "COMMENT" | "LABEL" | "GRANT" | "REVOKE" => self.nothing(verb),
            _ => Err(self.refused(format!("{verb} is not done"))),
        }
    }

    /// Accepted, and nothing is to be done: the rest of the text is not read.
    fn nothing(&mut self, what: String) -> Parsed<Verb> {
        while self.peek().is_some() && !self.is_symbol(";") {
            self.advance();
        }
        Ok((Kind::Nothing(what), Tree::None))
    }

    fn create(&mut self) -> Parsed<Verb> {
        if self.eat("TABLE") {
            return self.create_table();
        }
        if self.is_any(&["UNIQUE", "INDEX"]) {
            return self.create_index();
        }
        if self.eat("VIEW") {
            return self.create_view();
        }
        if self.eat_any(&["ALIAS", "SYNONYM"]).is_some() {
            let name = self.qualified()?;
            self.expect("FOR")?;
            self.eat("TABLE");
            let of = self.qualified()?;
            return Ok((Kind::CreateAlias { name, of }, Tree::None));
        }
        if self.eat("SEQUENCE") {
            return self.create_sequence();
        }
        self.eat("LARGE");
        self.eat("LOB");
        for word in STORAGE {
            if self.is(word) {
                return self.nothing(format!("CREATE {word}"));
            }
        }
        if self.are(&["AUXILIARY", "TABLE"]) || self.are(&["AUX", "TABLE"]) {
            return self.nothing("CREATE AUXILIARY TABLE".to_owned());
        }
        let word = self.peek().map_or(String::new(), |t| t.text.clone());
        Err(self.refused(format!("CREATE {word} is not done")))
    }

    fn create_sequence(&mut self) -> Parsed<Verb> {
        let name = self.qualified()?;
        let mut numbers = Numbers::default();
        let mut kind = Type::Integer;
        if self.eat("AS") {
            kind = self.data_type()?;
        }
        while self.peek().is_some() && !self.is_symbol(";") {
            if !self.number_option(&mut numbers)? {
                return Err(self.illegal("START WITH, INCREMENT BY"));
            }
        }
        numbers.bound(kind);
        Ok((Kind::CreateSequence { name, numbers }, Tree::None))
    }

    fn create_index(&mut self) -> Parsed<Verb> {
        let unique = self.eat("UNIQUE");
        let not_null = self.eat_all(&["WHERE", "NOT", "NULL"]);
        self.expect("INDEX")?;
        let at = self.at();
        let name = self.qualified()?;
        self.expect("ON")?;
        let table = self.qualified()?;
        let columns = self.bracketed(|p| {
            let column = p.name()?;
            if p.is_symbol("(") {
                return Err(p.refused("an index on an expression is not done"));
            }
            let order = p.eat_any(&["ASC", "DESC", "RANDOM"]);
            Ok((column, order == Some("DESC")))
        })?;
        // Storage and clustering; what changes which keys are unique is refused.
        while let Some(token) = self.peek().filter(|t| !t.is_symbol(";")) {
            if token.is("EXCLUDE") {
                return Err(self.refused("EXCLUDE NULL KEYS is not done"));
            }
            self.advance();
        }
        let index = Index {
            unique,
            not_null,
            name: name.clone(),
            table: table.clone(),
            columns,
            at,
        };
        let kind = Kind::CreateIndex {
            name,
            table,
            unique,
        };
        Ok(with(kind, Definition::Index(index)))
    }

    fn create_view(&mut self) -> Parsed<Verb> {
        let name = self.qualified()?;
        let columns = if self.is_symbol("(") {
            self.name_list()?
        } else {
            Vec::new()
        };
        self.expect("AS")?;
        let query = Box::new(self.query()?);
        if self.is("WITH") {
            return Err(self.refused("WITH CHECK OPTION is not done"));
        }
        if !self.hosts.is_empty() || self.markers > 0 {
            return Err(SqlProblem::new(-312, &[], self.at()));
        }
        let kind = Kind::CreateView(name.clone());
        let definition = Definition::View {
            name,
            columns,
            query,
        };
        Ok(with(kind, definition))
    }

    fn create_table(&mut self) -> Parsed<Verb> {
        let name = self.qualified()?;
        if self.is("LIKE") {
            return Err(self.refused("CREATE TABLE LIKE is not done"));
        }
        if self.is("AS") {
            return Err(self.refused("CREATE TABLE AS is not done"));
        }
        let mut table = self.table_body(name)?;
        table.definition.space = self.table_options()?;
        let kind = Kind::CreateTable(table.definition.clone());
        Ok(with(kind, Definition::Table(table)))
    }

    pub(super) fn declare_temporary(&mut self) -> Parsed<Verb> {
        let name = self.qualified()?;
        if !self.is_symbol("(") {
            return Err(self.refused("DECLARE GLOBAL TEMPORARY TABLE with LIKE or AS is not done"));
        }
        let table = self.table_body(name)?;
        while self.peek().is_some() && !self.is_symbol(";") {
            self.advance();
        }
        let kind = Kind::DeclareTemporary(table.definition.clone());
        Ok(with(kind, Definition::Table(table)))
    }

    /// Whether `[schema.]name TABLE` follows DECLARE.
    pub(super) fn is_declared_table(&self) -> bool {
        let mut ahead = 1;
        while self.is_symbol_at(ahead, ".") {
            ahead += 2;
        }
        self.peek_at(ahead).is_some_and(|t| t.is("TABLE"))
    }

    pub(super) fn declare_table(&mut self) -> Parsed<Verb> {
        let name = self.qualified()?;
        self.expect("TABLE")?;
        let table = self.table_body(name)?;
        Ok((Kind::DeclareTable(table.definition), Tree::None))
    }

    /// DECLARE :V VARIABLE [CCSID n] [FOR .. DATA]
    pub(super) fn declare_variable(&mut self) -> Parsed<Verb> {
        self.hosts(Role::Control)?;
        self.expect("VARIABLE")?;
        while self.peek().is_some() && !self.is_symbol(";") {
            self.advance();
        }
        Ok((Kind::DeclareVariable, Tree::None))
    }

    fn alter(&mut self) -> Parsed<Verb> {
        for word in ["TABLESPACE", "DATABASE", "STOGROUP", "INDEX", "BUFFERPOOL"] {
            if self.is(word) {
                return self.nothing(format!("ALTER {word}"));
            }
        }
        if !self.eat("TABLE") {
            let word = self.peek().map_or(String::new(), |t| t.text.clone());
            return Err(self.refused(format!("ALTER {word} is not done")));
        }
        let at = self.at();
        let name = self.qualified()?;
        let mut table = NewTable::empty(name, at);
        if self.is_any(&["DATA", "AUDIT", "VALIDPROC", "VOLATILE", "CCSID", "APPEND"]) {
            return self.nothing("ALTER TABLE".to_owned());
        }
        // A key may stand without ADD, as early versions had it.
        while self.eat("ADD") || self.are(&["FOREIGN", "KEY"]) || self.are(&["PRIMARY", "KEY"]) {
            if self.is("MATERIALIZED") {
                return Err(self.refused("materialized query tables are not done"));
            }
            self.alter_add(&mut table)?;
        }
        if self.peek().is_some() && !self.is_symbol(";") {
            return Err(self.refused("ALTER TABLE is done for ADD only"));
        }
        let kind = Kind::AlterTable(table.definition.clone());
        Ok(with(kind, Definition::AddColumns { table }))
    }

    fn drop_object(&mut self) -> Parsed<Verb> {
        let kinds = [
            ("TABLE", Dropped::Table),
            ("INDEX", Dropped::Index),
            ("VIEW", Dropped::View),
            ("ALIAS", Dropped::Alias),
            ("SYNONYM", Dropped::Alias),
            ("SEQUENCE", Dropped::Sequence),
            ("TABLESPACE", Dropped::Space),
            ("DATABASE", Dropped::Space),
            ("STOGROUP", Dropped::Space),
        ];
        let Some((word, kind)) = kinds.iter().find(|(word, _)| self.is(word)) else {
            let word = self.peek().map_or(String::new(), |t| t.text.clone());
            return Err(self.refused(format!("DROP {word} is not done")));
        };
        self.advance();
        let name = self.qualified()?;
        self.eat("RESTRICT");
        let definition = Definition::Drop {
            kind: *kind,
            name: name.clone(),
        };
        Ok(with(Kind::Drop { kind: word, name }, definition))
    }

    /// What stands behind the columns: the space, and storage.
    fn table_options(&mut self) -> Parsed<Option<Name>> {
        let mut space = None;
        while self.peek().is_some() && !self.is_symbol(";") {
            if self.eat("IN") {
                let whole = self.eat("DATABASE");
                let name = self.qualified()?;
                space = (!whole).then_some(name).or(space);
                continue;
            }
            if !self.is_any(TABLE_OPTIONS) {
                let word = self.peek().map_or(String::new(), |t| t.text.clone());
                return Err(self.refused(format!("{word} of CREATE TABLE is not done")));
            }
            self.advance();
            // The values of an option: words, numbers and brackets up to the next option.
            while let Some(token) = self.peek() {
                if token.is("IN") || token.is_symbol(";") || self.is_any(TABLE_OPTIONS) {
                    break;
                }
                if token.is_symbol("(") {
                    self.skip_brackets()?;
                } else {
                    self.advance();
                }
            }
        }
        Ok(space)
    }

    pub(super) fn skip_brackets(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            if self.is_symbol("(") {
                depth += 1;
            } else if self.is_symbol(")") {
                depth = depth.saturating_sub(1);
            }
            if self.advance().is_none() {
                return Err(self.illegal(")"));
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

fn with(kind: Kind, definition: Definition) -> Verb {
    (kind, Tree::Definition(Box::new(definition)))
}

/// Options of a table that change nothing a statement sees.
#[rustfmt::skip]
const TABLE_OPTIONS: &[&str] = &[
    "CCSID", "AUDIT", "DATA", "VALIDPROC", "EDITPROC", "OBID", "PARTITION", "COMPRESS", "APPEND", "WITH",
    "NOT", "VOLATILE", "CARDINALITY", "BUFFERPOOL", "DSSIZE", "LOGGED", "MEMBER", "TRACKMOD", "PAGENUM",
    "ORGANIZE", "NO", "KEY", "USING", "PCTFREE", "FREEPAGE", "CLOSE", "LOCKSIZE", "PIECESIZE", "DEFINE",
    "SEGSIZE", "STOGROUP", "ERASE", "PRIQTY", "SECQTY", "INSERT", "ENABLE", "DISABLE",
];
