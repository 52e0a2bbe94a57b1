//! The first words of a statement, and what follows from them.

use super::change::Extra;
use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::statement::{Kind, Role, Statement, Tree};
use crate::tree::node::Change;

/// Reads the statement at hand to its end.
pub(super) fn statement(p: &mut Parser<'_>) -> Parsed<Statement> {
    let (kind, tree) = verb(p)?;
    p.eat_symbol(";");
    if p.peek().is_some() {
        return Err(p.illegal("<END-OF-STATEMENT>"));
    }
    Ok(Statement {
        kind,
        hosts: std::mem::take(&mut p.hosts),
        markers: p.markers,
        tree,
    })
}

/// What a statement is, and its tree.
pub(super) type Verb = (Kind, Tree);

fn verb(p: &mut Parser<'_>) -> Parsed<Verb> {
    if p.is_symbol("(") {
        return query(p);
    }
    let Some(first) = p.peek() else {
        return Err(crate::problem::SqlProblem::new(-198, &[], p.at()));
    };
    if first.kind != TokenKind::Word {
        return Err(p.illegal(STATEMENTS));
    }
    match first.text.as_str() {
        "SELECT" | "WITH" => query(p),
        "VALUES" => values(p),
        "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "TRUNCATE" => change(p),
        "SET" => p.set(),
        "DECLARE" => p.declare(),
        "OPEN" => p.open(),
        "FETCH" => p.fetch(),
        "CLOSE" => p.close(),
        "PREPARE" => p.prepare(),
        "EXECUTE" => p.execute(),
        "DESCRIBE" => p.describe(),
        "GET" => p.get_diagnostics(),
        "CALL" => p.call_procedure(),
        "ASSOCIATE" | "ALLOCATE" => p.locators(),
        "CREATE" | "ALTER" | "DROP" | "COMMENT" | "LABEL" | "GRANT" | "REVOKE" | "RENAME"
        | "REFRESH" | "EXCHANGE" | "TRANSFER" => p.definition(),
        _ => p.session(),
    }
}

/// Named by -104 where a statement begins with none of them.
pub(super) const STATEMENTS: &str = "SELECT INSERT UPDATE DELETE MERGE DECLARE OPEN FETCH CLOSE \
     PREPARE EXECUTE SET VALUES CALL COMMIT ROLLBACK";

fn query(p: &mut Parser<'_>) -> Parsed<Verb> {
    let query = p.query_with(true)?;
    let into = p.hosts.iter().any(|h| h.role == Role::Output);
    let kind = if into { Kind::SelectInto } else { Kind::Query };
    Ok((kind, Tree::Query(Box::new(query))))
}

/// `VALUES a, b INTO :A, :B`, or rows of a dynamic VALUES.
fn values(p: &mut Parser<'_>) -> Parsed<Verb> {
    p.expect("VALUES")?;
    let values = if p.is_symbol("(") && p.has_row_in_brackets() {
        p.bracketed(Parser::expression)?
    } else {
        p.list(Parser::expression)?
    };
    if p.eat("INTO") {
        let targets = p.hosts(Role::Output)?;
        if targets.len() != values.len() && targets.len() != 1 {
            return Err(crate::problem::SqlProblem::new(-117, &[], p.at()));
        }
        return Ok((Kind::ValuesInto, Tree::Values(values)));
    }
    Ok((Kind::Query, Tree::Values(values)))
}

fn change(p: &mut Parser<'_>) -> Parsed<Verb> {
    let mut extra = Extra::default();
    let change = p.change_with(&mut extra)?;
    let current = extra.current.take();
    let kind = match &change {
        Change::Insert(_) => Kind::Insert {
            rows: extra.rows,
            atomic: !extra.not_atomic,
        },
        Change::Update(_) => Kind::Update { current },
        Change::Delete(_) => Kind::Delete { current },
        Change::Merge(_) => Kind::Merge,
        Change::Truncate(..) => Kind::Truncate,
    };
    Ok((kind, Tree::Change(Box::new(change))))
}
