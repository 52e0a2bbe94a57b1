//! Phrases of JSON PARSE and XML PARSE that are refused, with what is wrong.

use crate::sources::{messages, program, run};

const DATA: &str = "\
01 DOC PIC X(100).
01 WIDE PIC N(100).
01 R.
   05 A PIC 9(3).
   05 B PIC X(3).
   05 B-IS PIC X.
      88 B-NULL VALUE 'Y' FALSE 'N'.
   05 G.
      10 H PIC X.
   05 T OCCURS 2.
      10 D PIC 9.
      10 D-IS PIC X.
         88 D-NULL VALUE 'Y' FALSE 'N'.";

fn refused(statement: &str, why: &str) {
    let out = run(&program(
        DATA,
        &format!("    {statement}\n    END-JSON.\n    GOBACK."),
    ));
    let said = messages(&out).join("\n");
    assert!(
        said.contains("TXMTR0031E") && said.contains(why),
        "{statement}: {said}"
    );
}

#[test]
fn json_parse_says_what_it_cannot_do() {
    let of =
        |phrases: &str, why: &str| refused(&format!("JSON PARSE DOC INTO R\n    {phrases}"), why);
    of("ENCODING 1141", "with ENCODING 1141");
    of("ENCODING FROM A", "A in place of CODEPAGE");
    of(
        "CONVERTING A FROM NULL USING SPACE",
        "of A OF R USING SPACE",
    );
    of("CONVERTING B FROM NULL USING QUOTE", "USING QUOTE");
    of(
        "CONVERTING G FROM JSON NULL USING SPACE",
        "CONVERTING of a group",
    );
    of(
        "INDICATING G IS JSON NULL USING B-NULL",
        "INDICATING of a group",
    );
    of(
        "INDICATING B IS JSON NULL USING D-NULL",
        "D-NULL, which is in another table",
    );
    of("INDICATING B NULL USING 'Y' AND 'N'", "in place of IN");
    of(
        "INDICATING B NULL B-NULL\n    CONVERTING B FROM NULL SPACE",
        "INDICATING of one item",
    );
    refused(
        "JSON PARSE WIDE INTO R ENCODING 1208",
        "ENCODING of a national document",
    );
}

#[test]
fn parts_of_national_items_count_bytes() {
    let of = |statement: &str, wanted: &str| {
        let out = run(&program(DATA, &format!("    {statement}.\n    GOBACK.")));
        assert_eq!(messages(&out), Vec::<String>::new(), "{statement}");
        let cobol = out.cobol.split_whitespace().collect::<Vec<_>>();
        assert!(
            cobol.join(" ").contains(wanted),
            "{statement}: {}",
            out.cobol
        );
    };
    of(
        "JSON PARSE WIDE(3:A + 1) INTO R",
        "WIDE ( ( 3 ) * 2 - 1 : ( A + 1 ) * 2 )",
    );
    of("CALL 'X' USING WIDE(A:)", "WIDE ( ( A ) * 2 - 1 : )");
    of(
        "MOVE FUNCTION LENGTH(WIDE(3:A)) TO A",
        "FUNCTION INTEGER ( FUNCTION LENGTH ( WIDE ( ( 3 ) * 2 - 1 : ( A ) * 2 ) ) / 2 )",
    );
    of(
        "MOVE LENGTH OF WIDE(1:2) TO A",
        "LENGTH OF WIDE ( ( 1 ) * 2 - 1 : ( 2 ) * 2 )",
    );
    of(
        "MOVE FUNCTION LENGTH(XML-NTEXT) TO A",
        "FUNCTION INTEGER ( TXM-XML-NTEXT-L / 2 )",
    );
}

#[test]
fn json_generate_says_what_it_cannot_do() {
    let of = |phrases: &str, why: &str| {
        refused(&format!("JSON GENERATE DOC FROM R\n    {phrases}"), why);
    };
    of("ENCODING 1141", "with ENCODING 1141");
    of("CONVERTING B TO JSON NULL USING QUOTE", "USING QUOTE");
    of(
        "CONVERTING G TO JSON NULL USING SPACE",
        "CONVERTING of a group",
    );
    of(
        "INDICATING G IS JSON NULL USING B-NULL",
        "INDICATING of a group",
    );
    of(
        "INDICATING B IS JSON NULL USING D-NULL",
        "D-NULL, which is in another table",
    );
    of("INDICATING B NULL USING 'Y'", "in place of IN");
    of(
        "INDICATING B NULL B-NULL\n    CONVERTING B TO NULL USING SPACE",
        "INDICATING of one item",
    );
    of(
        "SUPPRESS B WHEN SPACES CONVERTING B TO NULL USING ZERO",
        "SUPPRESS and null of B",
    );
    refused(
        "JSON GENERATE WIDE FROM R ENCODING 1208",
        "ENCODING of a national document",
    );
}

#[test]
fn xml_parse_says_what_it_cannot_do() {
    let of = |phrases: &str, why: &str| {
        refused(
            &format!("XML PARSE DOC\n    {phrases} PROCESSING PROCEDURE P"),
            why,
        );
    };
    of("ENCODING 1141", "with ENCODING 1141");
    of("VALIDATING WITH FILE S", "with VALIDATING");
    refused(
        "XML PARSE WIDE ENCODING 1208 PROCESSING PROCEDURE P",
        "ENCODING of a national document",
    );
    refused(
        "IF XML-NTEXT = SPACES CONTINUE",
        "national item XML-NTEXT in this place",
    );
    refused(
        "MOVE XML-NTEXT TO DOC",
        "national item XML-NTEXT in this place",
    );
}

#[test]
fn what_json_parse_can_do_is_taken() {
    for phrases in [
        "IGNORING JSON NULL FOR ALL",
        "IGNORING NULL FOR A ALSO JSON NULL FOR G",
        "INDICATING B IS JSON NULL USING B-NULL ALSO D NULL D-NULL",
        "INDICATING D IS JSON NULL USING 'Y' AND 'N' IN D-IS OF T",
        "CONVERTING A FROM JSON NULL USING ZEROES ALSO B NULL LOW-VALUE",
        "ENCODING 037 WITH DETAIL",
        "ENCODING A",
        "ENCODING FROM CODEPAGE",
    ] {
        let statement = format!("    JSON PARSE DOC INTO R\n    {phrases}\n    END-JSON.");
        let out = run(&program(DATA, &statement));
        assert_eq!(messages(&out), Vec::<String>::new(), "{phrases}");
        let left = ["JSON NULL", "NULL FOR", "CODEPAGE", "ALSO"];
        assert!(left.iter().all(|l| !out.cobol.contains(l)), "{phrases}");
    }
}
