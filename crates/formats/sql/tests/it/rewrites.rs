//! The text for each engine.

use crate::Tables;
use transom_sql::{
    Dialect, Register, Rewritten, Setting, SqlProblem, Type, Value, rewrite, statement,
};

const EMP: &str = "CREATE TABLE EMP (EMPNO CHAR(6) NOT NULL, NAME VARCHAR(20), SALARY DECIMAL(9,2), \
                   AGE SMALLINT, HIRED DATE, STAMP TIMESTAMP NOT NULL WITH DEFAULT, PRIMARY KEY (EMPNO))";
const DEPT: &str = "CREATE TABLE DEPT (ID INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY, NAME CHAR(5) NOT NULL WITH DEFAULT, \
                    BUDGET DECIMAL(15,2) NOT NULL WITH DEFAULT)";

fn written(text: &str, dialect: Dialect) -> Result<Rewritten, SqlProblem> {
    let tables = Tables::new(&[EMP, DEPT]);
    let setting = Setting {
        dialect,
        catalog: &tables,
        schema: "",
        hosts: &[],
        dec31: false,
    };
    rewrite(&statement(text)?, &setting).map(Option::unwrap_or_default)
}

fn sqlite(text: &str) -> String {
    written(text, Dialect::Sqlite)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .text
}

fn postgres(text: &str) -> String {
    written(text, Dialect::PostgreSql)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .text
}

fn code(text: &str) -> i32 {
    written(text, Dialect::Sqlite).expect_err(text).code
}

#[test]
fn a_select_names_its_columns() {
    let found = written(
        "SELECT NAME, SALARY INTO :N, :S:I FROM EMP WHERE EMPNO = :K WITH UR",
        Dialect::Sqlite,
    )
    .unwrap();
    assert_eq!(
        found.text,
        r#"SELECT "EMP"."NAME", "EMP"."SALARY" FROM "EMP" AS "EMP" WHERE "EMP"."EMPNO" = ?1"#
    );
    assert_eq!(found.parameters[0].value, Value::Host(2, 0));
    let kinds: Vec<Type> = found.columns.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Type::VarChar(20), Type::decimal(9, 2)]);
}

#[test]
fn names_that_are_not_there() {
    assert_eq!(code("SELECT X FROM EMP"), -206);
    assert_eq!(code("SELECT NAME FROM NOWHERE"), -204);
    assert_eq!(code("SELECT NAME FROM EMP, DEPT"), -203);
    assert_eq!(code("SELECT E.NAME FROM EMP E, DEPT E"), -212);
    assert_eq!(code("INSERT INTO EMP (NAME, NAME) VALUES ('A', 'B')"), -121);
    assert_eq!(code("INSERT INTO EMP (NAME) VALUES ('A', 'B')"), -117);
    assert_eq!(code("SELECT NOSUCH(NAME) FROM EMP"), -440);
    assert_eq!(code("SELECT NAME, COUNT(*) FROM EMP"), -122);
    assert_eq!(
        code("SELECT NAME FROM EMP WHERE HIRED = '2005-02-30'"),
        -181
    );
    assert_eq!(code("INSERT INTO DEPT (ID, NAME) VALUES (1, 'A')"), -798);
    assert_eq!(code("INSERT INTO DEPT (NAME) VALUES ('TOOLONG')"), -404);
    assert_eq!(code("INSERT INTO DEPT (NAME) VALUES (NULL)"), -407);
    assert_eq!(code("SELECT NAME + 1 FROM EMP"), -402);
}

#[test]
fn decimals_stay_exact() {
    let code = |kind: Type| kind.code();
    let nine = code(Type::decimal(9, 2));
    let five = code(Type::decimal(3, 1));
    let sum = code(Type::decimal(10, 2));
    assert_eq!(
        sqlite("SELECT SALARY + 1.5 FROM EMP"),
        format!(
            r#"SELECT db2_add("EMP"."SALARY", db2_exact('1.5', {0}), {nine}, {0}, {sum}) FROM "EMP" AS "EMP""#,
            code(Type::decimal(2, 1))
        )
    );
    assert_eq!(
        postgres("SELECT SALARY + 1.5 FROM EMP"),
        r#"SELECT ("EMP"."SALARY" + 1.5) FROM "EMP" AS "EMP""#
    );
    assert!(
        sqlite("SELECT NAME FROM EMP WHERE SALARY > 10.5")
            .contains(&format!("> db2_exact('10.5', {five})"))
    );
    let quotient = written("SELECT SALARY / 3 FROM EMP", Dialect::PostgreSql).unwrap();
    assert_eq!(quotient.columns[0].kind, Type::decimal(15, 8));
}

#[test]
fn all_and_any_are_two_questions_on_sqlite() {
    let all = sqlite("SELECT NAME FROM EMP WHERE AGE > ALL (SELECT ID FROM DEPT)");
    assert!(all.contains(r##"WHERE NOT ("EMP"."AGE" > "#V"."V")) THEN 0 WHEN"##));
    assert!(all.ends_with(r##"WHERE ("EMP"."AGE" > "#V"."V") IS NULL) THEN NULL ELSE 1 END"##));
    let grouped =
        "SELECT AGE FROM EMP GROUP BY AGE HAVING MAX(SALARY) > ANY (SELECT BUDGET FROM DEPT)";
    assert_eq!(code(grouped), -84);
    assert!(postgres(grouped).contains("> ANY ("));
    assert!(
        sqlite("SELECT E.NAME FROM EMP E, DEPT D ORDER BY NAME")
            .ends_with(r#"ORDER BY "E"."NAME" NULLS LAST"#)
    );
}

#[test]
fn dates_in_any_form() {
    assert!(
        sqlite("SELECT NAME FROM EMP WHERE HIRED = '04/01/2005'")
            .ends_with("\"HIRED\" = '2005-04-01'")
    );
    assert!(
        postgres("SELECT NAME FROM EMP WHERE HIRED = '01.04.2005'")
            .ends_with("\"HIRED\" = DATE '2005-04-01'")
    );
    let found = written(
        "SELECT NAME FROM EMP WHERE HIRED > CURRENT DATE - 3 DAYS",
        Dialect::Sqlite,
    )
    .unwrap();
    assert_eq!(
        found.parameters[0].value,
        Value::Register(Register::CurrentDate)
    );
    assert!(found.text.contains("db2_subtract_duration(?1, 3, 'D', "));
}

#[test]
fn a_row_gets_its_defaults() {
    let found = written("INSERT INTO DEPT (BUDGET) VALUES (:B)", Dialect::Sqlite).unwrap();
    assert_eq!(
        found.text,
        r#"INSERT INTO "DEPT" ("BUDGET", "ID", "NAME") VALUES (?1, db2_next_identity('DEPT', 'ID'), '     ')"#
    );
    assert_eq!(found.parameters[0].kind, Type::decimal(15, 2));
    let found = written("INSERT INTO EMP (EMPNO) VALUES ('1')", Dialect::PostgreSql).unwrap();
    assert_eq!(
        found.text,
        r#"INSERT INTO "EMP" ("EMPNO", "NAME", "SALARY", "AGE", "HIRED", "STAMP") VALUES ('1     ', NULL, NULL, NULL, NULL, $1)"#
    );
}

#[test]
fn positioned_changes() {
    let cursor = written(
        "DECLARE C CURSOR FOR SELECT NAME FROM EMP FOR UPDATE OF NAME",
        Dialect::Sqlite,
    )
    .unwrap();
    assert!(
        cursor.row_id
            && cursor
                .text
                .starts_with(r#"SELECT "EMP"."NAME", "EMP"._rowid_ FROM"#)
    );
    let update = written(
        "UPDATE EMP SET NAME = :N WHERE CURRENT OF C",
        Dialect::Sqlite,
    )
    .unwrap();
    assert_eq!(update.parameters[1].value, Value::CurrentRow);
    assert!(
        postgres("DELETE FROM EMP WHERE CURRENT OF C")
            .ends_with(r#"WHERE "EMP".ctid = currtid2('"EMP"', $1)"#)
    );
    assert!(
        postgres("DECLARE C CURSOR FOR SELECT NAME FROM EMP FOR UPDATE").ends_with(" FOR UPDATE")
    );
}

#[test]
fn null_is_the_highest_value() {
    assert!(
        sqlite("SELECT NAME FROM EMP ORDER BY SALARY, EMPNO DESC")
            .ends_with(r#"ORDER BY "EMP"."SALARY" NULLS LAST, "EMP"."EMPNO" DESC"#)
    );
    assert!(
        postgres("SELECT NAME FROM EMP ORDER BY SALARY DESC")
            .ends_with(r#"ORDER BY "EMP"."SALARY" DESC"#)
    );
}

/// Every row of the table: both engines get a text, or the row says that one refuses.
#[test]
fn rows_of_the_table() {
    let rows = transom_sql::rewrite_examples();
    assert!(rows.len() > 30);
    for [topic, db2, sqlite, postgres, _] in &rows {
        for text in [sqlite, postgres] {
            assert!(
                !text.is_empty() && !text.starts_with("SQLCODE"),
                "{topic}: {db2}: {text}"
            );
            assert!(
                !text.contains(":ID") && !text.contains("CURRENT DATE"),
                "{topic}: {text}"
            );
        }
    }
    let row = |topic: &str| {
        rows.iter()
            .find(|r| r[0] == topic)
            .unwrap_or_else(|| panic!("{topic}"))
    };
    let expected = [
        (
            "first row",
            2,
            r#"SELECT "EMP"."NAME" FROM "EMP" AS "EMP" LIMIT 1"#,
        ),
        (
            "strings",
            2,
            r#"SELECT "EMP"."ID" FROM "EMP" AS "EMP" WHERE db2_upper("EMP"."NAME", VARCHAR(20), VARCHAR(20)) COLLATE DB2 = 'ADA'"#,
        ),
        (
            "decimal quotients",
            3,
            r#"SELECT db2_divide("EMP"."PAY", 3, DECIMAL(9, 2), INTEGER, DECIMAL(15, 8)) FROM "EMP" AS "EMP""#,
        ),
        (
            "durations",
            2,
            r#"SELECT db2_add_duration("EMP"."HIRED", 1, 'M', DATE, DATE) FROM "EMP" AS "EMP""#,
        ),
        (
            "integer sums",
            3,
            r#"SELECT (("EMP"."AGE")::integer + 1) FROM "EMP" AS "EMP""#,
        ),
        (
            "one value of a SELECT",
            2,
            r#"SELECT "EMP"."ID" FROM "EMP" AS "EMP" WHERE "EMP"."AGE" = (SELECT db2_only("V") FROM (SELECT "EMP"."AGE" AS "V" FROM "EMP" AS "EMP" WHERE "EMP"."NAME" = 'ADA'))"#,
        ),
        ("SET", 3, "SELECT $1"),
        (
            "positioned change",
            2,
            r#"DELETE FROM "EMP" AS "EMP" WHERE "EMP"._rowid_ = ?1"#,
        ),
        (
            "unique index",
            3,
            r#"CREATE UNIQUE INDEX "X" ON "EMP" ("NAME") NULLS NOT DISTINCT"#,
        ),
    ];
    for (topic, engine, text) in expected {
        assert_eq!(row(topic)[engine], text, "{topic}");
    }
}

#[test]
fn a_whole_number_leaves_the_index_of_its_column() {
    let tables = Tables::new(&[EMP, DEPT]);
    let hosts = [
        vec![Type::decimal(9, 0)],
        vec![Type::decimal(9, 1)],
        vec![Type::Integer],
    ];
    let setting = Setting {
        dialect: Dialect::Sqlite,
        catalog: &tables,
        schema: "",
        hosts: &hosts,
        dec31: false,
    };
    let read =
        statement("SELECT NAME FROM DEPT WHERE ID = :A AND ID < :B AND BUDGET > :C").unwrap();
    let written = rewrite(&read, &setting).unwrap().unwrap();
    let wide = Type::decimal(12, 1).code();
    let filter = format!(
        r#"WHERE ("DEPT"."ID" = ?1 AND db2_exact("DEPT"."ID", {wide}) < ?2 AND "DEPT"."BUDGET" > ?3)"#
    );
    assert!(written.text.ends_with(&filter), "{}", written.text);
    let kinds: Vec<Type> = written.parameters.iter().map(|p| p.kind).collect();
    assert_eq!(
        kinds,
        [Type::BigInt, Type::decimal(9, 1), Type::decimal(15, 2)]
    );
}

#[test]
fn bit_data_takes_characters() {
    let tables = Tables::new(&[
        "CREATE TABLE B (K CHAR(4) FOR BIT DATA NOT NULL WITH DEFAULT, V VARCHAR(9) FOR BIT DATA)",
    ]);
    let hosts = [vec![Type::Char(4)]];
    let setting = Setting {
        dialect: Dialect::Sqlite,
        catalog: &tables,
        schema: "",
        hosts: &hosts,
        dec31: false,
    };
    let text = |sql: &str| {
        rewrite(&statement(sql).unwrap(), &setting)
            .unwrap()
            .unwrap()
    };
    let (char0, bit) = (Type::VarChar(0).code(), Type::CharBit(4).code());
    let found = text("SELECT V FROM B WHERE K = :K");
    assert!(found.text.ends_with(r#"WHERE "B"."K" = ?1"#));
    assert_eq!(found.parameters[0].kind, Type::CharBit(4));
    let found = text("INSERT INTO B (V) VALUES (:V)");
    assert_eq!(
        found.text,
        format!(r#"INSERT INTO "B" ("V", "K") VALUES (?1, db2_convert('', {char0}, {bit}))"#)
    );
}

#[test]
fn names_without_a_schema_get_one() {
    let tables = Tables::new(&[
        "CREATE TABLE PAY.EMP (ID INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY, NAME CHAR(3) NOT NULL)",
        "CREATE TABLE TEST.EMP (NAME CHAR(9))",
    ]);
    let text = |schema: &str, sql: &str| {
        let setting = Setting {
            dialect: Dialect::Sqlite,
            catalog: &tables,
            schema,
            hosts: &[],
            dec31: false,
        };
        let written = rewrite(&statement(sql).unwrap(), &setting);
        written
            .map(|written| written.unwrap().text)
            .map_err(|e| (e.code, e.tokens))
    };
    let select = "SELECT EMP.NAME FROM EMP, TEST.EMP T WHERE EMP.NAME = T.NAME";
    assert_eq!(
        text("PAY", select).unwrap(),
        r#"SELECT "EMP"."NAME" FROM "PAY.EMP" AS "EMP", "TEST.EMP" AS "T" WHERE "EMP"."NAME" = "T"."NAME""#
    );
    let missing = text("X", "SELECT * FROM EMP").unwrap_err();
    assert_eq!(missing, (-204, vec!["X.EMP".to_owned()]));
    assert_eq!(
        text("PAY", "INSERT INTO EMP (NAME) VALUES ('A')").unwrap(),
        r#"INSERT INTO "PAY.EMP" ("NAME", "ID") VALUES ('A  ', db2_next_identity('PAY.EMP', 'ID'))"#
    );
    // A common table expression and SYSDUMMY1 have none.
    assert_eq!(
        text("PAY", "WITH E AS (SELECT NAME FROM EMP) SELECT NAME FROM E").unwrap(),
        r#"WITH "E" AS (SELECT "EMP"."NAME" FROM "PAY.EMP" AS "EMP") SELECT "E"."NAME" FROM "E" AS "E""#
    );
    assert!(text("PAY", "SELECT 1 FROM SYSDUMMY1").is_ok());
    let child = "CREATE TABLE CHILD (ID INTEGER, FOREIGN KEY (ID) REFERENCES CHILD2 (ID))";
    let missing = text("PAY", child).unwrap_err();
    assert_eq!(missing, (-204, vec!["PAY.CHILD2".to_owned()]));
    assert_eq!(
        text("PAY", "CREATE INDEX X ON EMP (NAME)").unwrap(),
        r#"CREATE INDEX "PAY.X" ON "PAY.EMP" ("NAME")"#
    );
    assert_eq!(
        text("PAY", "VALUES (NEXT VALUE FOR S)").unwrap(),
        "SELECT db2_nextval('PAY.S')"
    );
}
