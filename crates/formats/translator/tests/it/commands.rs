//! Commands that are wrong: the message, its place, and what is not stopped.

use crate::sources::{body, messages, program, run};
use transom_commands::abi::{Descriptor, FLAG_GOBACK, FLAG_NOHANDLE};
use transom_commands::{by_words, opt};

const DATA: &str = "01 A PIC X(8).\n01 R PIC S9(8) COMP.";

fn wrong(command: &str) -> Vec<String> {
    let out = run(&program(DATA, &format!("    {command}.")));
    messages(&out)
}

#[test]
fn unknown_commands_and_options_name_the_nearest() {
    assert_eq!(
        wrong("EXEC CICS RETRUN END-EXEC"),
        ["PROG.cbl:8:12: TXMTR0012E RETRUN is not a CICS command; the nearest is RETURN"]
    );
    assert_eq!(
        wrong("EXEC CICS LINK PROGRAM(A) COMAREA(A) END-EXEC"),
        ["PROG.cbl:8:38: TXMTR0013E COMAREA is not an option of LINK; the nearest is COMMAREA"]
    );
}

#[test]
fn arguments_missing_superfluous_empty_or_twice() {
    assert_eq!(
        wrong("EXEC CICS LINK PROGRAM(A) COMMAREA END-EXEC"),
        ["PROG.cbl:8:38: TXMTR0014E LINK: COMMAREA needs an argument"]
    );
    assert_eq!(
        wrong("EXEC CICS SYNCPOINT ROLLBACK(A) END-EXEC"),
        ["PROG.cbl:8:41: TXMTR0014E SYNCPOINT: ROLLBACK takes no argument"]
    );
    assert_eq!(
        wrong("EXEC CICS LINK PROGRAM() END-EXEC"),
        ["PROG.cbl:8:27: TXMTR0019E LINK: PROGRAM: the argument is empty"]
    );
    assert_eq!(
        wrong("EXEC CICS LINK PROGRAM(A) PROGRAM(A) END-EXEC"),
        ["PROG.cbl:8:38: TXMTR0015W LINK: PROGRAM is given again and ignored"]
    );
    assert_eq!(
        wrong("EXEC CICS LINK COMMAREA(A) END-EXEC"),
        ["PROG.cbl:8:12: TXMTR0021E LINK: option PROGRAM is missing"]
    );
}

#[test]
fn outputs_must_be_fields() {
    assert_eq!(
        wrong("EXEC CICS ASSIGN APPLID('X') END-EXEC"),
        ["PROG.cbl:8:36: TXMTR0019E ASSIGN: APPLID: 'X' cannot be changed by the command"]
    );
}

#[test]
fn unknown_values() {
    assert_eq!(
        wrong("MOVE DFHRESP(NORMAL2) TO R"),
        ["PROG.cbl:8:25: TXMTR0016E NORMAL2 is not a condition"]
    );
    assert_eq!(
        wrong("MOVE DFHVALUE(NOSUCH) TO R"),
        ["PROG.cbl:8:26: TXMTR0016E NOSUCH is not a CICS value"]
    );
}

#[test]
fn blocks_that_do_not_end() {
    assert_eq!(
        wrong("EXEC CICS RETURN"),
        ["PROG.cbl:8:12: TXMTR0010E EXEC CICS has no END-EXEC"]
    );
    assert_eq!(
        wrong("EXEC CICS LINK PROGRAM(A END-EXEC"),
        ["PROG.cbl:8:34: TXMTR0017E parenthesis is not closed"]
    );
    assert_eq!(
        wrong("CONTINUE END-EXEC"),
        ["PROG.cbl:8:21: TXMTR0011E END-EXEC without EXEC"]
    );
    assert_eq!(
        wrong("DISPLAY 'ABC"),
        ["PROG.cbl:8:20: TXMTR0001E literal has no closing quote"]
    );
}

#[test]
fn a_wrong_command_does_not_stop_the_others() {
    let out = run(&program(
        DATA,
        "    EXEC CICS NONSENSE END-EXEC\n    EXEC CICS RETURN END-EXEC.",
    ));
    assert!(out.has_errors());
    assert!(body(&out).starts_with("CONTINUE CALL 'TXMEXEC' USING TXM-D0001 RETURNING"));
}

#[test]
fn a_command_in_the_data_division_is_refused() {
    let out = run(&program(
        "EXEC CICS RETURN END-EXEC.\n01 A PIC X.",
        "    GOBACK.",
    ));
    assert_eq!(
        messages(&out),
        ["PROG.cbl:5:8: TXMTR0024E EXEC CICS outside a PROCEDURE DIVISION"]
    );
}

/// The descriptor of the first command, read back from the generated data.
fn descriptor(procedure: &str) -> Descriptor {
    let out = run(&program(DATA, procedure));
    let data = out.cobol.split_once("TXM-D0001 PIC").unwrap().1;
    let data = &data[..data.find("LINKAGE").unwrap()];
    let hex: String = data
        .split("X'")
        .skip(1)
        .flat_map(|part| part[..part.find('\'').unwrap()].chars())
        .collect();
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap())
        .collect();
    Descriptor::decode(&bytes).unwrap()
}

#[test]
fn descriptors_carry_command_options_line_and_labels() {
    let link = descriptor(
        "    CONTINUE.\n    EXEC CICS LINK PROGRAM('X') SYNCONRETURN COMMAREA(A) RESP(R)\n    \
         END-EXEC.",
    );
    assert_eq!(link.command, by_words(&["LINK", "PROGRAM"]).unwrap().id);
    assert_eq!(link.flags, FLAG_NOHANDLE);
    assert_eq!(link.line, 9);
    assert_eq!(link.arguments, [opt::PROGRAM, opt::COMMAREA, opt::RESP]);
    assert_eq!(link.keywords, [opt::SYNCONRETURN]);
    let handle = descriptor(
        "    EXEC CICS HANDLE CONDITION NOTFND(P-2) ERROR LENGERR(P-2) END-EXEC.\nP-2.\n    GOBACK.",
    );
    assert_eq!(handle.flags, 0);
    assert_eq!(
        handle.labels,
        [(opt::NOTFND, 1), (opt::ERROR, 0), (opt::LENGERR, 1)]
    );
    let ignore = descriptor("    EXEC CICS IGNORE CONDITION LENGERR MAPFAIL END-EXEC.");
    assert_eq!(ignore.keywords, [opt::LENGERR, opt::MAPFAIL]);
    let abend = descriptor("    EXEC CICS ABEND ABCODE('ABCD') NOHANDLE CANCEL END-EXEC.");
    assert_eq!(abend.flags, FLAG_NOHANDLE | FLAG_GOBACK);
    assert_eq!(abend.arguments, [opt::ABCODE]);
}
