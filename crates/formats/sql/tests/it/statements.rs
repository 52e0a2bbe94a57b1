//! What a statement is, and which host variables it has.

use transom_sql::{
    Action, Count, CursorSource, Kind, Orientation, Position, Role, Scroll, Statement, Text, Type,
    Using, Whenever, statement,
};

fn read(text: &str) -> Statement {
    statement(text).unwrap_or_else(|e| panic!("{text}: {e} at {:?}", e.at))
}

fn hosts(text: &str) -> Vec<(String, Role)> {
    let statement = read(text);
    statement
        .hosts
        .iter()
        .map(|h| {
            let name = match &h.qualifier {
                Some(qualifier) => format!("{qualifier}.{}", h.name),
                None => h.name.clone(),
            };
            let name = match &h.indicator {
                Some(indicator) => format!("{name}:{}", indicator.name),
                None => name,
            };
            (name, h.role)
        })
        .collect()
}

fn code(text: &str) -> i32 {
    statement(text).expect_err(text).code
}

#[test]
fn a_singleton_select() {
    let text = "SELECT A, B INTO :WS-A, :REC.B:IND-B FROM T WHERE K = :WS-KEY WITH UR";
    let expected = [
        ("WS-A", Role::Output),
        ("REC.B:IND-B", Role::Output),
        ("WS-KEY", Role::Input),
    ];
    assert_eq!(hosts(text), expected.map(|(n, r)| (n.to_owned(), r)));
    assert!(matches!(read(text).kind, Kind::SelectInto));
    assert!(matches!(
        read("SELECT A FROM T FETCH FIRST ROW ONLY").kind,
        Kind::Query
    ));
    assert!(matches!(
        read("SELECT A FROM T FETCH FIRST 5 ROWS ONLY WITH UR").kind,
        Kind::Query
    ));
    assert!(matches!(
        read("SELECT A FROM T WITH UR FETCH FIRST 5 ROWS ONLY").kind,
        Kind::Query
    ));
}

#[test]
fn cursors() {
    let Kind::DeclareCursor(cursor) = read("DECLARE C-1 INSENSITIVE SCROLL CURSOR WITH HOLD WITH ROWSET POSITIONING FOR SELECT A FROM T FOR UPDATE OF A, B").kind else {
        panic!("no cursor");
    };
    assert_eq!(cursor.name, "C-1");
    assert_eq!(cursor.scroll, Scroll::Insensitive);
    assert!(cursor.hold && cursor.rowset && !cursor.returns);
    assert_eq!(
        cursor.update.as_deref(),
        Some(["A".to_owned(), "B".to_owned()].as_slice())
    );
    let Kind::DeclareCursor(cursor) = read("DECLARE C1 CURSOR FOR S1").kind else {
        panic!("no cursor");
    };
    assert_eq!(cursor.source, CursorSource::Prepared("S1".to_owned()));
    let Kind::Open { cursor, using } = read("OPEN C1 USING :A, :B").kind else {
        panic!("no OPEN");
    };
    assert_eq!((cursor.as_str(), using), ("C1", Using::Hosts(vec![0, 1])));
}

#[test]
fn fetches() {
    let fetch = |text: &str| match read(text).kind {
        Kind::Fetch(fetch) => fetch,
        other => panic!("{other:?}"),
    };
    let plain = fetch("FETCH C1 INTO :A, :B");
    assert_eq!((plain.orientation, plain.rowset), (Orientation::Next, None));
    assert_eq!(plain.into, Using::Hosts(vec![0, 1]));
    assert_eq!(
        fetch("FETCH NEXT FROM C1 INTO :A").orientation,
        Orientation::Next
    );
    assert_eq!(fetch("FETCH NEXT INTO :A").cursor, "NEXT");
    let absolute = fetch("FETCH ABSOLUTE -3 FROM C1 INTO :A").orientation;
    assert_eq!(absolute, Orientation::Absolute(Position::Number(-3)));
    let rows = fetch("FETCH NEXT ROWSET FROM C1 FOR 10 ROWS INTO :A");
    assert_eq!(rows.rowset, Some(Some(Count::Number(10))));
    let start = fetch("FETCH ROWSET STARTING AT ABSOLUTE :N FROM C1 FOR :M ROWS INTO :A");
    assert_eq!(start.orientation, Orientation::Absolute(Position::Host(0)));
    assert_eq!(fetch("FETCH BEFORE FROM C1").into, Using::None);
}

#[test]
fn changes() {
    let kind = |text: &str| read(text).kind;
    assert!(matches!(
        kind("INSERT INTO T VALUES (:A, DEFAULT, NULL)"),
        Kind::Insert {
            rows: None,
            atomic: true
        }
    ));
    assert!(matches!(
        kind("INSERT INTO T (A) VALUES (:A) FOR :N ROWS NOT ATOMIC CONTINUE ON SQLEXCEPTION"),
        Kind::Insert {
            rows: Some(Count::Host(1)),
            atomic: false
        }
    ));
    assert!(matches!(
        kind("INSERT INTO T SELECT * FROM U WHERE A > 1"),
        Kind::Insert { .. }
    ));
    let Kind::Update {
        current: Some(current),
    } = kind("UPDATE T SET A = A + 1 WHERE CURRENT OF C1 FOR ROW 3 OF ROWSET")
    else {
        panic!("not positioned");
    };
    assert_eq!(
        (current.cursor.as_str(), current.row),
        ("C1", Some(Count::Number(3)))
    );
    assert!(matches!(
        kind("DELETE FROM T WHERE CURRENT OF C1"),
        Kind::Delete { current: Some(_) }
    ));
    assert!(matches!(
        kind("SELECT ID INTO :ID FROM FINAL TABLE (INSERT INTO T (A) VALUES (:A))"),
        Kind::SelectInto
    ));
    assert!(matches!(
        kind(
            "MERGE INTO T USING (VALUES (:A, :B)) AS S (A, B) ON T.A = S.A WHEN MATCHED THEN UPDATE SET B = S.B WHEN NOT MATCHED THEN INSERT (A, B) VALUES (S.A, S.B)"
        ),
        Kind::Merge
    ));
}

#[test]
fn dynamic_statements() {
    assert!(matches!(
        read("PREPARE S1 INTO :SQLDA FROM :TEXT").kind,
        Kind::Prepare {
            from: Text::Host(1),
            into: Some(0),
            ..
        }
    ));
    assert!(matches!(
        read("EXECUTE S1 USING DESCRIPTOR :SQLDA").kind,
        Kind::Execute {
            using: Using::Descriptor(0),
            ..
        }
    ));
    assert!(matches!(
        read("EXECUTE IMMEDIATE :TEXT").kind,
        Kind::ExecuteImmediate {
            from: Text::Host(0)
        }
    ));
    assert!(matches!(
        read("DESCRIBE INPUT S1 INTO :SQLDA").kind,
        Kind::Describe(_)
    ));
    assert_eq!(read("SELECT A FROM T WHERE B = ? AND C < ?").markers, 2);
}

#[test]
fn sets_and_values() {
    let text = "SET :A = CURRENT TIMESTAMP";
    assert!(matches!(read(text).kind, Kind::ValuesInto));
    assert_eq!(hosts(text), [("A".to_owned(), Role::Output)]);
    assert!(matches!(
        read("SET CURRENT SQLID = 'ABC'").kind,
        Kind::SetRegister(_)
    ));
    assert!(matches!(
        read("SET CURRENT SCHEMA = ABC").kind,
        Kind::SetRegister(_)
    ));
    assert!(matches!(
        read("VALUES CURRENT DATE, 1 + 2 INTO :A, :B").kind,
        Kind::ValuesInto
    ));
    assert!(matches!(
        read("SET (:A, :B) = (1, CURRENT DATE)").kind,
        Kind::ValuesInto
    ));
    assert_eq!(code("VALUES 1, 2 INTO :A, :B, :C"), -117);
}

#[test]
fn whenever_and_declarations() {
    let Kind::Whenever { condition, action } =
        read("WHENEVER NOT FOUND GO TO 100-END-OF-ROWS").kind
    else {
        panic!("no WHENEVER");
    };
    assert_eq!(condition, Whenever::NotFound);
    assert_eq!(action, Action::GoTo("100-END-OF-ROWS".to_owned()));
    assert!(matches!(
        read("WHENEVER SQLERROR CONTINUE").kind,
        Kind::Whenever {
            action: Action::Continue,
            ..
        }
    ));
    assert!(matches!(read("INCLUDE SQLCA").kind, Kind::Include(name) if name == "SQLCA"));
    let Kind::DeclareTable(table) = read("DECLARE DSN8C10.EMP TABLE (EMPNO CHAR(6) NOT NULL, SALARY DECIMAL(9, 2), NOTE VARCHAR(40) FOR BIT DATA)").kind else {
        panic!("no table");
    };
    assert_eq!(table.name.to_string(), "DSN8C10.EMP");
    let columns: Vec<(Type, bool)> = table.columns.iter().map(|c| (c.kind, c.nullable)).collect();
    assert_eq!(
        columns,
        [
            (Type::Char(6), false),
            (Type::decimal(9, 2), true),
            (Type::VarCharBit(40), true)
        ]
    );
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    assert_eq!(code("SELEC A FROM T"), -104);
    assert_eq!(code("SELECT A FROM"), -104);
    assert_eq!(code("SELECT A FROM T WHERE"), -104);
    assert_eq!(code("SELECT FROM T"), -199);
    assert_eq!(code(""), -198);
    let problem = statement("SELECT A\nFROM T\nWHERE A == 1").unwrap_err();
    assert_eq!((problem.at.line, problem.at.column), (3, 10));
    assert_eq!(problem.tokens[0], "=");
    assert!(
        statement("SELECT XMLELEMENT(NAME \"E\", A) FROM T")
            .unwrap_err()
            .refused
            .is_some()
    );
}

#[test]
fn forms_of_older_programs() {
    let Kind::AlterTable(table) =
        read("ALTER TABLE T FOREIGN KEY R (A) REFERENCES U ON DELETE CASCADE").kind
    else {
        panic!("no ALTER");
    };
    assert_eq!(table.foreign_keys[0].name.as_deref(), Some("R"));
    assert!(matches!(
        read("INSERT INTO T VALUES (TIMESTAMP(:A) + (:B SECONDS))").kind,
        Kind::Insert { .. }
    ));
    assert!(matches!(
        read("DECLARE T TABLE (A TIMESTAMP(6) WITHOUT TIMEZONE NOT NULL)").kind,
        Kind::DeclareTable(_)
    ));
}
