//! Statements that take a bounded number of steps, whatever the tables hold.
//!
//! What: the program SQLite makes of a text has no loop: rows by a whole key, INSERT of values. Why
//! the program and not the text: keys, triggers and foreign keys decide, and SQLite has looked at
//! all of them. Not here: who runs such a statement where (`sessions`, decision 0024).

use rusqlite::Connection;

/// Opcodes that go on, go forward, or touch one row. What is not here may go on for long.
const STEPS: [&str; 88] = [
    "Add",
    "Affinity",
    "And",
    "BitAnd",
    "BitNot",
    "BitOr",
    "Blob",
    "Cast",
    "Close",
    "CollSeq",
    "Column",
    "Compare",
    "Concat",
    "Copy",
    "DecrJumpZero",
    "DeferredSeek",
    "Delete",
    "Divide",
    "ElseEq",
    "Eq",
    "Explain",
    "FinishSeek",
    "FkCheck",
    "FkCounter",
    "FkIfZero",
    "Found",
    "Function",
    "Ge",
    "Goto",
    "Gt",
    "Halt",
    "HaltIfNull",
    "IdxDelete",
    "IdxGE",
    "IdxGT",
    "IdxInsert",
    "IdxLE",
    "IdxLT",
    "IdxRowid",
    "If",
    "IfNot",
    "IfNotOpen",
    "IfNullRow",
    "IfPos",
    "Init",
    "Insert",
    "Int64",
    "IntCopy",
    "Integer",
    "IsNull",
    "IsTrue",
    "IsType",
    "Jump",
    "Le",
    "Lt",
    "MakeRecord",
    "Move",
    "Multiply",
    "MustBeInt",
    "Ne",
    "NewRowid",
    "NoConflict",
    "Noop",
    "Not",
    "NotExists",
    "NotFound",
    "NotNull",
    "Null",
    "NullRow",
    "Offset",
    "Once",
    "OpenRead",
    "OpenWrite",
    "Or",
    "PureFunc",
    "Real",
    "RealAffinity",
    "Remainder",
    "ResultRow",
    "Rowid",
    "SCopy",
    "SeekGE",
    "SeekRowid",
    "SoftNull",
    "String8",
    "Subtract",
    "Transaction",
    "Variable",
];

/// A text is such a statement. What cannot be looked at is none.
pub(super) fn is_straight(connection: &Connection, text: &str) -> bool {
    let looked = || -> rusqlite::Result<bool> {
        let mut statement = connection.prepare(&format!("EXPLAIN {text}"))?;
        let mut steps = statement.raw_query();
        while let Some(step) = steps.next()? {
            let (at, to): (i64, i64) = (step.get("addr")?, step.get("p2")?);
            let name: String = step.get("opcode")?;
            // The beginning of a program stands at its end, and goes back to its first step.
            let goes_back = name == "Goto" && (2..=at).contains(&to);
            if goes_back || STEPS.binary_search(&name.as_str()).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    looked().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "
        CREATE TABLE A (K INTEGER NOT NULL, L INTEGER NOT NULL, V TEXT, PRIMARY KEY (K, L));
        CREATE INDEX AV ON A (V);
        CREATE TABLE B (K INTEGER PRIMARY KEY, N BLOB NOT NULL);
        CREATE TABLE P (K INTEGER PRIMARY KEY);
        CREATE TABLE C (K INTEGER PRIMARY KEY, P INTEGER REFERENCES P (K));
        CREATE TABLE T (K INTEGER PRIMARY KEY);
        CREATE TRIGGER TT AFTER INSERT ON T BEGIN DELETE FROM A; END;";

    #[test]
    fn rows_of_a_whole_key_are_straight_and_what_may_find_many_is_not() {
        assert!(STEPS.is_sorted());
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = ON")
            .unwrap();
        connection.execute_batch(TABLES).unwrap();
        for text in [
            "SELECT V FROM A WHERE K = ?1 AND L = ?2",
            "SELECT N FROM B WHERE K = ?1",
            "UPDATE A SET V = V || 'X' WHERE K = ?1 AND L = ?2",
            "UPDATE B SET N = ?2 WHERE K = ?1",
            "DELETE FROM A WHERE K = ?1 AND L = ?2",
            "INSERT INTO A (K, L, V) VALUES (?1, ?2, upper(?3))",
            "INSERT INTO C (K, P) VALUES (?1, ?2)",
        ] {
            assert!(is_straight(&connection, text), "{text}");
        }
        for text in [
            "SELECT V FROM A WHERE K = ?1",
            "SELECT COUNT(*) FROM A",
            "SELECT MAX(K) FROM A",
            "UPDATE A SET V = 'X'",
            "UPDATE A SET L = 1 WHERE V = ?1",
            "DELETE FROM A",
            "DELETE FROM A WHERE K = ?1",
            // Rows that refer to it are looked for.
            "DELETE FROM P WHERE K = ?1",
            "INSERT INTO A SELECT K, K, NULL FROM B",
            "INSERT INTO T VALUES (?1)",
            "SELECT V FROM A, B WHERE A.K = B.K AND B.K = ?1",
            "WITH RECURSIVE N(I) AS (VALUES (1) UNION ALL SELECT I + 1 FROM N) SELECT I FROM N",
            "CREATE TABLE D (K INTEGER)",
            "COMMIT",
            "NONSENSE",
        ] {
            assert!(!is_straight(&connection, text), "{text}");
        }
    }
}
