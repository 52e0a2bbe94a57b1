//! What the tokenizer makes of Db2 text.

use transom_sql::{TokenKind, tokens};

fn texts(text: &str) -> Vec<String> {
    let tokens = tokens(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    tokens.into_iter().map(|t| t.text).collect()
}

fn code(text: &str) -> i32 {
    tokens(text).expect_err(text).code
}

#[test]
fn host_variables_keep_their_hyphens() {
    assert_eq!(texts(":ws-key"), ["WS-KEY"]);
    assert_eq!(texts(":REC.FLD-A:IND-1"), ["REC.FLD-A", "IND-1"]);
    assert_eq!(texts(":A - :B-1"), ["A", "-", "B-1"]);
    assert_eq!(texts(":A-1 INDICATOR :C-D"), ["A-1", "INDICATOR", "C-D"]);
}

#[test]
fn operators_have_one_form() {
    assert_eq!(
        texts("A ¬= B ^= C != D <> E"),
        ["A", "<>", "B", "<>", "C", "<>", "D", "<>", "E"]
    );
    assert_eq!(
        texts("A !! B || C ¬> 1 ¬< 2"),
        ["A", "||", "B", "||", "C", "<=", "1", ">=", "2"]
    );
}

#[test]
fn constants_have_their_kind() {
    let kinds =
        |text: &str| -> Vec<TokenKind> { tokens(text).unwrap().iter().map(|t| t.kind).collect() };
    use TokenKind::{Binary, Decimal, Delimited, Float, Graphic, GraphicHex, Hex, Integer, String};
    assert_eq!(
        kinds("1 1.5 .5 1. 1E5 1.5E-3"),
        [Integer, Decimal, Decimal, Decimal, Float, Float]
    );
    assert_eq!(
        kinds("'A''B' X'00ff' BX'01' G'AB' GX'42C1' N'X'"),
        [String, Hex, Binary, Graphic, GraphicHex, String]
    );
    assert_eq!(kinds("\"a \"\"b\""), [Delimited]);
    assert_eq!(texts("'A''B' \"a \"\"b\""), ["A'B", "a \"b"]);
}

#[test]
fn comments_are_no_tokens() {
    assert_eq!(
        texts("A -- comment 'x\nB /* c /* nested */ d */ C"),
        ["A", "B", "C"]
    );
}

#[test]
fn places_are_told() {
    let found = tokens("SELECT A\n  FROM T").unwrap();
    let from = &found[2];
    assert_eq!(
        (from.at.line, from.at.column, from.at.offset, from.end),
        (2, 3, 11, 15)
    );
}

#[test]
fn what_is_no_token_has_its_code() {
    assert_eq!(code("SELECT 'ABC"), -10);
    assert_eq!(code("SELECT 1A2"), -103);
    assert_eq!(code("SELECT 1E"), -103);
    assert_eq!(code("SELECT X'0'"), -110);
    assert_eq!(code("SELECT A { B"), -7);
    assert_eq!(code("/* never ends"), -104);
    assert_eq!(code(&format!("SELECT {}", "A".repeat(129))), -107);
}
