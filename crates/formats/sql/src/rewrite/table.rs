//! The rewrites, row by row: a form of Db2 and what becomes of it.
//!
//! Why a table: the page shows each row with the text the rewriter makes of its example, so the
//! page cannot say less or more than is done, and a test looks at what it says.

/// What a row is about, an example, what is to be known of it.
#[rustfmt::skip]
pub(crate) const ROWS: &[(&str, &str, &str)] = &[
    ("columns", "SELECT NAME, PAY FROM EMP WHERE ID = :ID", "names are looked up, and written in full"),
    ("isolation", "SELECT NAME FROM EMP WHERE ID = :ID WITH UR", "UR and CS are what both engines do; the run time is told of RS and RR"),
    ("clauses without effect", "SELECT NAME FROM EMP FOR FETCH ONLY OPTIMIZE FOR 1 ROW QUERYNO 7", ""),
    ("first rows", "SELECT NAME FROM EMP FETCH FIRST 5 ROWS ONLY", ""),
    ("first row", "SELECT NAME FROM EMP FETCH FIRST ROW ONLY", "a missing number is one"),
    ("order", "SELECT NAME FROM EMP ORDER BY PAY DESC, ID", "null is the highest value of Db2 and the lowest of SQLite"),
    ("order of characters", "SELECT ID FROM EMP WHERE NAME > 'ADA' ORDER BY NAME", "SQLite has it in its collation; `db2_order` of PostgreSQL has no index"),
    ("strings", "SELECT ID FROM EMP WHERE UPPER(NAME) = 'ADA'", "blanks at the end do not count"),
    ("not equal", "SELECT ID FROM EMP WHERE NAME ¬= 'ADA'", "also `^=` and `!=`"),
    ("LIKE", "SELECT ID FROM EMP WHERE NAME LIKE 'A%'", "case counts, blanks at the end too"),
    ("date constants", "SELECT ID FROM EMP WHERE HIRED > '04/01/2005'", "ISO, USA, EUR and JIS; -180 and -181 before anything runs"),
    ("special registers", "SELECT ID FROM EMP WHERE HIRED = CURRENT DATE", "one value for the whole statement, from the run time"),
    ("durations", "SELECT HIRED + 1 MONTH FROM EMP", "-183 beyond the calendar"),
    ("difference of dates", "SELECT CURRENT DATE - HIRED FROM EMP", "DECIMAL(8, 0), yyyymmdd"),
    ("decimal constants", "SELECT ID FROM EMP WHERE PAY > 100.5", "DECIMAL is exact on each engine"),
    ("decimal sums", "SELECT PAY + BONUS FROM EMP", "precision and scale by DEC15 or DEC31"),
    ("decimal quotients", "SELECT PAY / 3 FROM EMP", "cut off to the scale Db2 gives the quotient"),
    ("integer sums", "SELECT AGE + 1 FROM EMP", "-802 beyond the type"),
    ("concatenation", "SELECT NAME CONCAT '*' FROM EMP", "also `||` and `!!`"),
    ("CHAR of a date", "SELECT CHAR(HIRED, USA) FROM EMP", ""),
    ("SUBSTR", "SELECT SUBSTR(NAME, 2, 3) FROM EMP", "a constant length gives a CHAR, padded"),
    ("STRIP", "SELECT STRIP(NAME, LEADING, '0') FROM EMP", "TRIM too"),
    ("VALUE", "SELECT VALUE(NAME, 'NONE') FROM EMP", "also IFNULL"),
    ("aggregates", "SELECT COUNT(*), SUM(PAY), MAX(AGE) FROM EMP", "a column beside them that is not grouped is -122"),
    ("dummy table", "SELECT 1 FROM SYSIBM.SYSDUMMY1", ""),
    ("one value of a SELECT", "SELECT ID FROM EMP WHERE AGE = (SELECT AGE FROM EMP WHERE NAME = 'ADA')", "-811 where SQLite would take any row"),
    ("ALL and ANY", "SELECT ID FROM EMP WHERE PAY > ALL (SELECT BONUS FROM EMP)", "SQLite has IN alone; a null value leaves it unknown where no row decides"),
    ("sums of different values", "SELECT SUM(DISTINCT PAY) FROM EMP", "AVG too"),
    ("SET", "SET :H = CURRENT TIMESTAMP", "also VALUES INTO"),
    ("INSERT", "INSERT INTO EMP (NAME, PAY) VALUES (:N, 10)", "all columns are written: defaults are Db2's"),
    ("INSERT of a query", "INSERT INTO EMP (NAME, PAY) WITH RICH (N, P, A) AS (SELECT NAME, PAY, AGE FROM EMP WHERE PAY > 9) SELECT N, P FROM RICH", "its columns are those of the SELECT behind WITH"),
    ("DECODE", "SELECT DECODE(AGE, 1, 'ONE', 'MANY') FROM EMP", "two null values are equal"),
    ("GREATEST", "SELECT GREATEST(PAY, BONUS) FROM EMP", "null where one value is null; MAX of several values too"),
    ("FINAL TABLE", "SELECT ID FROM FINAL TABLE (INSERT INTO EMP (NAME) VALUES ('ADA'))", ""),
    ("UPDATE", "UPDATE EMP SET PAY = PAY * 1.1 WHERE ID = :ID", "cut off to the scale of the column, not rounded"),
    ("updatable cursor", "DECLARE C CURSOR FOR SELECT NAME FROM EMP FOR UPDATE OF NAME", "the last column is hidden and identifies the row; PostgreSQL locks all rows at OPEN"),
    ("positioned change", "DELETE FROM EMP WHERE CURRENT OF C", ""),
    ("MERGE", "MERGE INTO EMP USING (VALUES (:I, :N)) AS S (I, N) ON ID = S.I WHEN MATCHED THEN UPDATE SET NAME = S.N", "of one row; the INSERT of NOT MATCHED runs where nothing was changed"),
    ("sequences", "SELECT NEXT VALUE FOR SEQ FROM SYSIBM.SYSDUMMY1", ""),
    ("CREATE TABLE", "CREATE TABLE T (A CHAR(3) NOT NULL, B DECIMAL(9, 2), C VARCHAR(9), D DATE WITH DEFAULT, PRIMARY KEY (A)) IN DB.TS CCSID EBCDIC", "table space and storage are not kept by the engine"),
    ("unique index", "CREATE UNIQUE INDEX X ON EMP (NAME)", "two null values are equal, unless WHERE NOT NULL is said"),
    ("ALTER TABLE", "ALTER TABLE EMP ADD COLUMN NOTE CHAR(2) NOT NULL WITH DEFAULT", "rows that are there get the default"),
    ("ALTER TABLE ADD FOREIGN KEY", "ALTER TABLE EMP ADD FOREIGN KEY (AGE) REFERENCES EMP (ID) ON DELETE CASCADE", "a row without a parent is -530, where Db2 leaves the table in check pending"),
];

/// The tables of the examples.
pub(crate) const TABLE: &str = "CREATE TABLE EMP (ID INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY, \
     NAME VARCHAR(20), PAY DECIMAL(9, 2) NOT NULL WITH DEFAULT, BONUS DECIMAL(7, 3), AGE SMALLINT, HIRED DATE)";
