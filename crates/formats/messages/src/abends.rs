//! Abend codes: what a task ended with, in the form of a message page.
//!
//! What: the codes this region issues, each with meaning, system action and user response, and the
//! code of each condition nobody handled, which the table of conditions has. Codes a program
//! chooses itself (ABEND ABCODE) are no business of this page. Source: "Transaction abend codes" of
//! the CICS TS documentation for which code stands for what; what is said of it is of this region.
//! Not here: who issues them.

use std::fmt::Write as _;
use transom_types::Resp;

/// The page of an abend code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abend {
    /// Four characters.
    pub code: &'static str,
    /// In one line.
    pub text: String,
    /// What it means.
    pub explanation: String,
    /// What the region does.
    pub system_action: &'static str,
    /// What the reader can do.
    pub user_response: &'static str,
}

/// A code of its own: code, line, explanation, system action, user response.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const BACKED_OUT: &str = "Where HANDLE ABEND names a label or a program, that runs. Else the task ends, its unit of work is backed out, \
     and DUMP(YES) of the transaction writes a transaction dump.";
const ENDS: &str = "The task ends and its unit of work is backed out.";
const WORKER: &str = "The task ends and its unit of work is backed out. Its worker process is replaced; other tasks go on.";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("4038", "Language Environment ended the program", "A condition of severity 3 of the run time that nothing can go on from, such as XML-CODE set to a number that XML PARSE does not take.", BACKED_OUT, "The message of the task names the condition (IGZ...). Correct the program."),
    ("AASA", "a child of RUN TRANSID may not run under its user", "The transaction that RUN TRANSID started is not allowed to the user. The parent finds the code by FETCH.", "The child does not run. The parent goes on.", "Allow the transaction to the user, or let the parent test COMPSTATUS and ABCODE."),
    ("ABMC", "too many destinations of ROUTE", "The route list of a ROUTE command names more terminals than the region can deliver to.", BACKED_OUT, "Make shorter lists, in several ROUTE commands."),
    ("AD2Q", "the DB2ENTRY of the transaction is disabled", "The first SQL statement of the task needed a DB2ENTRY that is disabled with DISABLEDACT(ABEND).", BACKED_OUT, "Enable it (CEMT SET DB2ENTRY), or choose DISABLEDACT(POOL) or SQLCODE."),
    ("ADPL", "a command that a linked program may not issue", "A program that was linked to from outside issued a command that the DPL subset does not have (INVREQ, RESP2 200), and did not handle the condition.", BACKED_OUT, "Leave the command to the caller, or handle INVREQ."),
    ("AEY9", "there is no connection to what the program calls", "The program has EXEC SQL and the region no database, or its DB2CONN is not connected with CONNECTERROR(ABEND).", BACKED_OUT, "Set [sql] in transom.toml, or connect DB2CONN. CONNECTERROR(SQLCODE) gives the program -923 in place of this."),
    ("AEYD", "an output option has an address the task may not write to", "With CMDPROT=YES, where a command would put its answer is not storage of the task.", BACKED_OUT, "The message names command and option. Look at the address: a LINKAGE item without SET or ADDRESS, a COMMAREA shorter than its description."),
    ("AFCF", "a deadlock of record locks", "Tasks wait for records of each other. This one was chosen to end.", "The task ends and its unit of work is backed out. With RESTART(YES) it is started again as DFHREST allows.", "Let programs update files and records in one order; commit earlier."),
    ("AFCV", "a record stayed locked too long", "A request for a record of a file with RLSACCESS(YES) waited longer than DTIMOUT of the transaction, or FTIMEOUT, allows.", BACKED_OUT, "CEMT INQUIRE TASK shows who waits for what. End the unit of work that holds the record, or allow more time."),
    ("AFCW", "a deadlock of record locks, file with RLSACCESS(YES)", "Tasks wait for records of each other. This one was chosen to end.", "The task ends and its unit of work is backed out. With RESTART(YES) it is started again as DFHREST allows.", "Let programs update files and records in one order; commit earlier."),
    ("AICA", "runaway task", "The task used more processor time without a command than RUNAWAY of its transaction, or ICVR, allows.", BACKED_OUT, "Look for a loop: the message names program and place. Where the work is right, allow more time by RUNAWAY, or give commands in between (SUSPEND)."),
    ("AICB", "the region ended while the task waited for a START", "RETRIEVE WAIT waited for further data when the region was stopped.", ENDS, "None: it is the usual end of such a task."),
    ("AKC3", "purged by the operator", "CEMT SET TASK PURGE or FORCEPURGE, SET TASK of a program, or the end of the region ended the task.", BACKED_OUT, "None, if it was meant. Who did it is in the log."),
    ("AKCS", "waited too long for a resource", "The task waited for a record or a resource of ENQ longer than DTIMOUT of its transaction allows.", BACKED_OUT, "CEMT INQUIRE TASK shows who waits for what. End the one that holds it, or allow more time by DTIMOUT."),
    ("AKCT", "no input from the terminal in time", "A RECEIVE waited longer than RTIMOUT of the profile allows.", BACKED_OUT, "None, if nobody sat there. Else allow more time by RTIMOUT."),
    ("APCN", "a CALLed program is not there", "CALL names a program that is neither a module of the system directory nor supplied, or a system call that is not allowed.", BACKED_OUT, "The message names it. Put its source into cobol/, or allow the call by [region] system_calls."),
    ("APCT", "the first program cannot run", "The program of the transaction, a map set, or the program of a LINK level is not defined, is disabled, or has no module; or there are more than 200 LINK levels.", ENDS, "The message names the program and why. transom check names all that cannot run."),
    ("ASCR", "no shared storage for the reply", "EDSALIM has no room for what the program returns.", "The task ends, its work was committed or backed out before.", "Raise EDSALIM, or look in the statistics for what uses it."),
    ("ASP1", "the unit of work cannot be committed", "The store, the database or a partner answered SYNCPOINT with a failure. HANDLE ABEND does not get it.", ENDS, "The message before names what failed."),
    ("ASRA", "program check", "The program did what the processor or the run time refuses: S0C7 (data that are no numbers in arithmetic), S0C4 (a wrong address, often DFHCOMMAREA with EIBCALEN 0), S0CB (division by zero), S0C1.", BACKED_OUT, "The message names program, line and reason; the dump has the last commands. ASSIGN ABOFFSET and ASRAPSW tell the place to programs."),
    ("ASRB", "the worker process ended, or what it handed over is damaged", "The process that ran the program was killed from outside, had no memory, or stored over control data that the region then did not believe.", WORKER, "If nobody killed it, look for a program that stores outside its areas: the message names what was found."),
    ("ASTG", "no room for the answer of a child", "Answers of RUN TRANSID that nobody has fetched yet fill the room there is for them; that of this child was dropped.", "The child had ended; its work stays.", "Let parents FETCH what they start, or FREE CHILD."),
];

/// The page of an abend code, in either case; `None`: this region issues none of that name.
pub fn abend(code: &str) -> Option<Abend> {
    let code = code.trim().to_ascii_uppercase();
    abends().into_iter().find(|abend| abend.code == code)
}

/// All codes in their order.
pub fn abends() -> Vec<Abend> {
    let own = ROWS.iter().map(|row| Abend {
        code: row.0,
        text: row.1.to_owned(),
        explanation: row.2.to_owned(),
        system_action: row.3,
        user_response: row.4,
    });
    let unhandled = Resp::all().filter_map(|(resp, name)| of_condition(resp, name));
    let mut all: Vec<Abend> = own.chain(unhandled).collect();
    all.sort_by_key(|abend| abend.code);
    all
}

/// The code a condition has that nobody handles.
fn of_condition(resp: Resp, name: &str) -> Option<Abend> {
    Some(Abend {
        code: resp.abend_code()?,
        text: format!("condition {name} was not handled"),
        explanation: format!(
            "A command raised {name} (RESP {}), and neither RESP, NOHANDLE, IGNORE CONDITION nor HANDLE CONDITION took it.",
            resp.0
        ),
        system_action: BACKED_OUT,
        user_response: "The message of the task says why, and the dump has the command with RESP2. Correct the cause, or let the program look at RESP.",
    })
}

/// The page `docs/reference/abends.md`.
pub fn abends_page() -> String {
    let mut out = String::from(
        "# Abend codes\n\nGenerated from the tables; do not edit.\n\n\
         Codes that this region ends tasks with. Others come from programs themselves (`EXEC CICS ABEND ABCODE`).\n\
         `transom explain CODE` and CMAC show the same.\n",
    );
    for abend in abends() {
        let _ = write!(
            out,
            "\n## {}\n\n`{}`\n\n{}\n\n*System action.* {}\n\n*User response.* {}\n",
            abend.code, abend.text, abend.explanation, abend.system_action, abend.user_response
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_conditions_and_of_the_region_stand_in_one_order() {
        let all = abends();
        assert!(all.windows(2).all(|pair| pair[0].code < pair[1].code));
        let not_found = abend("aeim").unwrap();
        assert!(not_found.text.contains("NOTFND") && not_found.explanation.contains("RESP 13"));
        assert!(abend("ASRA").unwrap().explanation.contains("S0C7"));
        assert_eq!(abend("MINE"), None);
    }
}
