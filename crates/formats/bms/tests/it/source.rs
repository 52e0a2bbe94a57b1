//! Map sources: what copybook comes out, and what is said about mistakes.

use super::{ORDER, columns};
use transom_bms::{copybook, read};

fn book(source: &str) -> String {
    let found = read("test.bms", &columns(source));
    let problems: Vec<String> = found
        .problems
        .iter()
        .map(|p| p.id_first().to_string())
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    copybook(&found.mapsets[0]).expect("COBOL")
}

fn problems(source: &str) -> Vec<String> {
    let found = read("test.bms", source);
    found
        .problems
        .iter()
        .map(|p| p.id_first().to_string())
        .collect()
}

#[test]
fn input_and_output_of_a_map() {
    let text = book(ORDER);
    let begin = "       01  ORDMAPI.
           02  FILLER PIC X(12).
           02  NUMBERL    COMP  PIC  S9(4).
           02  NUMBERF    PICTURE X.
           02  FILLER REDEFINES NUMBERF.
             03 NUMBERA    PICTURE X.
           02  FILLER   PICTURE X(4).
           02  NUMBERI  PIC X(6).
           02  TEXTL    COMP  PIC  S9(4).
";
    assert!(text.starts_with(begin), "{text}");
    let end = "       01  ORDMAPO REDEFINES ORDMAPI.
           02  FILLER PIC X(12).
           02  FILLER PICTURE X(3).
           02  NUMBERC    PICTURE X.
           02  NUMBERP    PICTURE X.
           02  NUMBERH    PICTURE X.
           02  NUMBERV    PICTURE X.
           02  NUMBERO  PIC X(6).
";
    assert!(text.contains(end), "{text}");
}

#[test]
fn tables_groups_pictures_and_overlaid_maps() {
    let text = book(
        "\
M       DFHMSD TYPE=MAP,MODE=INOUT,DSATTS=COLOR
MA      DFHMDI SIZE=(24,80)
LINE    DFHMDF POS=(3,1),LENGTH=9,OCCURS=4
AMOUNT  DFHMDF POS=(8,1),PICIN='9(6)V99',PICOUT='ZZ9,9.99'
DD      DFHMDF POS=(9,1),LENGTH=2,GRPNAME=DAY,ATTRB=UNPROT
MM      DFHMDF POS=(9,5),LENGTH=2,GRPNAME=DAY
MB      DFHMDI SIZE=(24,80),MODE=OUT
X       DFHMDF POS=(1,1),LENGTH=1
        DFHMSD TYPE=FINAL
",
    );
    let expected = "       01  MAI.
           02  LINED OCCURS 4 TIMES.
             03  LINEL    COMP  PIC  S9(4).
             03  LINEF    PICTURE X.
             03  FILLER   PICTURE X(1).
             03  LINEI  PIC X(9).
           02  AMOUNTL    COMP  PIC  S9(4).
           02  AMOUNTF    PICTURE X.
           02  FILLER REDEFINES AMOUNTF.
             03 AMOUNTA    PICTURE X.
           02  FILLER   PICTURE X(1).
           02  AMOUNTI  PIC 9(6)V99.
           02  DAY.
             03  DDL    COMP  PIC  S9(4).
             03  DDF    PICTURE X.
             03  FILLER REDEFINES DDF.
               04 DDA    PICTURE X.
             03  FILLER   PICTURE X(1).
             03  DDI  PIC X(2).
             03  MMI  PIC X(2).
       01  MAO REDEFINES MAI.
           02  DFHMS1 OCCURS 4 TIMES.
             03  FILLER PICTURE X(2).
             03  LINEA    PICTURE X.
             03  LINEC    PICTURE X.
             03  LINEO  PIC X(9).
           02  FILLER PICTURE X(3).
           02  AMOUNTC    PICTURE X.
           02  AMOUNTO  PIC ZZ9,9.99.
           02  DAY.
             03  FILLER PICTURE X(3).
             03  DDC    PICTURE X.
             03  DDO  PIC X(2).
             03  MMO  PIC X(2).
       01  MBO REDEFINES MAI.
           02  FILLER PICTURE X(2).
           02  XA    PICTURE X.
           02  XC    PICTURE X.
           02  XO  PIC X(1).
";
    assert_eq!(text, expected);
}

#[test]
fn continued_text_goes_on_in_column_16() {
    let dots = ".".repeat(71 - 24);
    let source = format!(
        "{:<71}\n{:<71}\n        DFHMDF INITIAL='{dots}-\n               it''s R&&D'  a remark,-\n               remark too\n        DFHMSD TYPE=FINAL\n",
        "S       DFHMSD TYPE=MAP", "M       DFHMDI SIZE=(9,80)"
    );
    let source = source.replace("INITIAL", "POS=(1,1),LENGTH=60,INITIAL");
    // The longer operands moved the text to the right: cut the dots to what column 71 leaves.
    let source: String = source
        .lines()
        .map(|l| match l.find("....") {
            Some(_) => format!("{}-\n", l.chars().take(71).collect::<String>()),
            None if l.contains("remark,") => format!("{:<71}-\n", l.trim_end_matches('-')),
            None => format!("{l}\n"),
        })
        .collect();
    let found = read("test.bms", &source);
    assert!(found.problems.is_empty(), "{:#?}", found.problems);
    let field = &found.mapsets[0].maps[0].fields[0];
    let transom_bms::Initial::Text(text) = &field.initial else {
        panic!("text");
    };
    let text = String::from_utf8_lossy(text);
    assert_eq!(text.trim_end().trim_start_matches('.'), "it's R&D");
}

#[test]
fn mistakes_have_line_and_column() {
    let source = format!(
        "{}\n{:<71}-\n{}\n{}\n{}\n{}\n",
        "SET     DFHMSD TYPE=&SYSPARM,MODE=INOUT,COLOUR=RED",
        "MAP     DFHMDI SIZE=(24,80),",
        "          LINE=1",
        "FLD     DFHMDF POS=(25,1),LENGTH=3,ATTRB=(UNPROT,MDT)",
        "FLD2    DFHMDF POS=(2,1),LENGTH=5,(NORM,PROT),COLOR=RED",
        "        DFHMDF POS=(3,1),LENGTH=5,INITIAL='abc",
    );
    assert_eq!(
        problems(&source),
        [
            "TXMBM0005W test.bms:1:41: DFHMSD has no operand COLOUR",
            "TXMBM0002E test.bms:3:11: columns 1 to 15 of a continuation line are not blank",
            "TXMBM0012W test.bms:3:16: DFHMDI: 1 has no keyword and is ignored",
            "TXMBM0006E test.bms:4:16: POS=(25,1) is not valid: a number from 1 to 24 is expected",
            "TXMBM0012W test.bms:4:36: DFHMDF: MDT is no attribute and is ignored",
            "TXMBM0012W test.bms:5:35: DFHMDF: (NORM,PROT) has no keyword and is ignored",
            "TXMBM0014W test.bms:5:47: COLOR has no effect: MAPATTS does not list it",
            "TXMBM0015W test.bms:6:9: DFHMSD TYPE=FINAL is missing",
            "TXMBM0003E test.bms:6:46: a quoted string is not ended",
        ]
    );
}

#[test]
fn a_lost_continuation_character_is_named() {
    let source = "SET     DFHMSD TYPE=MAP,\n               MODE=INOUT\n";
    assert_eq!(
        problems(source)[..1],
        ["TXMBM0001E test.bms:1:24: the operands end with a comma, but column 72 is blank"]
    );
}

#[test]
fn fields_must_fit_and_differ() {
    let source = columns(
        "\
SET     DFHMSD TYPE=MAP
MAP     DFHMDI SIZE=(2,40)
A       DFHMDF POS=(2,10),LENGTH=40
A       DFHMDF POS=(1,1)
B       DFHMDF POS=(1,1),LENGTH=3,INITIAL='abcd'
        DFHMSD TYPE=FINAL
",
    );
    assert_eq!(
        problems(&source),
        [
            "TXMBM0022W test.bms:3:1: the field ends behind the map of 2 lines and 40 columns",
            "TXMBM0010E test.bms:4:1: field A is defined twice in the mapset",
            "TXMBM0013E test.bms:4:1: LENGTH is missing",
            "TXMBM0011W test.bms:5:1: the initial contents are cut to 3 characters",
        ]
    );
    let source = source.replace("LENGTH=40", "LENGTH=4,OCCURS=9");
    assert!(problems(&source)[0].starts_with("TXMBM0009E test.bms:3:1:"));
}

#[test]
fn stoppers_without_length_operands_without_value_and_white() {
    let text = book(
        "\
M       DFHMSD TYPE=MAP,MODE=INOUT,DSATTS=COLOR,SUFFIX=
MA      DFHMDI SIZE=(24,80)
NAME    DFHMDF POS=(3,8),LENGTH=30,ATTRB=UNPROT,COLOR=WHITE
        DFHMDF POS=(3,39),ATTRB=ASKIP
        DFHMSD TYPE=FINAL
",
    );
    assert!(text.contains("NAMEI  PIC X(30)."), "{text}");
    // What holds data needs a length.
    let said = problems(
        "\
M       DFHMSD TYPE=MAP
MA      DFHMDI SIZE=(24,80)
        DFHMDF POS=(3,39),INITIAL='Name:'
",
    );
    assert_eq!(said[0], "TXMBM0013E test.bms:3:9: LENGTH is missing");
}
