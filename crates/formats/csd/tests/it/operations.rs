//! Changes as EXEC CICS CSD asks for them: the statement, or the condition.

use transom_csd::{Csd, Duplicates, Look, Operation, Place, Resource};

const DECK: &str = "
DEFINE PROGRAM(PAY) GROUP(PAYROLL) STATUS(DISABLED)
DEFINE TRANSACTION(PAYT) GROUP(PAYROLL) PROGRAM(PAY)
DEFINE PROGRAM(USER) GROUP(USERDEF) EXECKEY(CICS) STATUS(DISABLED)
DEFINE PROGRAM(PAY) GROUP(OTHER)
ADD GROUP(PAYROLL) LIST(MINE)
";

fn csd() -> Csd {
    let mut csd = Csd::new();
    assert!(csd.parse_deck("a.csd", DECK).is_empty());
    csd
}

fn program(name: &str, group: &str) -> Resource {
    Resource {
        kind: "PROGRAM".into(),
        name: name.into(),
        group: group.into(),
    }
}

fn group(group: &str) -> Resource {
    Resource {
        group: group.into(),
        ..Resource::default()
    }
}

fn place(group: &str, list: &str) -> Place {
    Place {
        group: group.into(),
        list: list.into(),
    }
}

fn define(name: &str, of: &str, attributes: &str, user_defaults: bool) -> Operation {
    Operation::Define {
        resource: program(name, of),
        attributes: attributes.into(),
        user_defaults,
    }
}

fn copy(resource: Resource, to: &str, duplicates: Duplicates) -> Operation {
    Operation::Copy {
        resource,
        new_name: String::new(),
        to: to.into(),
        duplicates,
    }
}

/// The statement, which must do what it says, or RESP and RESP2.
fn done(operation: &Operation) -> Result<String, (u32, u32)> {
    let mut csd = csd();
    let locked = |name: &str| (name == "LOCKED").then(|| "ALICE".to_owned());
    let statement = csd.statement(operation, &locked);
    let statement = statement.map_err(|refused| (refused.resp.0 as u32, refused.resp2))?;
    let applied = csd.carry_out_all("test", &statement);
    assert!(!applied.is_refused(), "{statement}: {:?}", applied.problems);
    Ok(statement)
}

#[test]
fn a_change_is_a_statement() {
    let of = |operation: &Operation| done(operation).unwrap();
    assert_eq!(
        of(&define(
            "TAX",
            "PAYROLL",
            "STATUS(ENABLED) EXECKEY(CICS)",
            false
        )),
        " DEFINE PROGRAM(TAX) GROUP(PAYROLL)\n       STATUS(ENABLED) EXECKEY(CICS)\n"
    );
    assert_eq!(
        of(&define("TAX", "PAYROLL", "STATUS(ENABLED)", true)),
        " DEFINE PROGRAM(TAX) GROUP(PAYROLL)\n       EXECKEY(CICS) STATUS(ENABLED)\n"
    );
    let all = copy(group("PAYROLL"), "OTHER", Duplicates::Kept);
    assert_eq!(of(&all), " COPY GROUP(PAYROLL) TO(OTHER) MERGE\n");
    let gone = Operation::Delete {
        resource: group("PAYROLL"),
        from_lists: true,
    };
    assert_eq!(of(&gone), " DELETE ALL GROUP(PAYROLL) REMOVE\n");
    let text = "DESCRIPTION(It's (not) a blank line)";
    assert!(of(&define("TAX", "PAYROLL", text, false)).contains("DESCRIPTION(It's (not)"));
}

#[test]
fn conditions_are_those_of_cics() {
    let add = |group: &str, list: &str, before: &str| Operation::Add {
        place: place(group, list),
        before: before.into(),
        after: String::new(),
    };
    let rename = |name: &str, new: &str| Operation::Rename {
        resource: program(name, "PAYROLL"),
        new_name: new.into(),
    };
    const INVREQ: u32 = 16;
    const NOTFND: u32 = 13;
    const DUPRES: u32 = 120;
    const LOCKED: u32 = 100;
    let cases = [
        (define("PAY", "PAYROLL", "", false), (DUPRES, 1)),
        (define("PAY", "MINE", "", false), (DUPRES, 2)),
        (define("PAY", "LOCKED", "", false), (LOCKED, 1)),
        (define("PAY", "DFHPAY", "", false), (LOCKED, 2)),
        (define("PAY", "GROUP(X)", "", false), (INVREQ, 2)),
        (define("TOOLONGNAME", "PAYROLL", "", false), (INVREQ, 4)),
        (define("PAY*", "PAYROLL", "", false), (INVREQ, 4)),
        (define("TAX", "PAYROLL", "NOSUCH(1)", false), (INVREQ, 401)),
        (define("TAX", "PAYROLL", "STATUS", false), (INVREQ, 412)),
        (
            define(
                "TAX",
                "PAYROLL",
                "REMOTENAME(A\n UNLOCK GROUP(LOCKED))",
                false,
            ),
            (INVREQ, 12 << 16 | 400),
        ),
        (add("PAYROLL", "MINE", ""), (DUPRES, 1)),
        (add("MINE", "NEW", ""), (DUPRES, 2)),
        (add("OTHER", "PAYROLL", ""), (DUPRES, 3)),
        (add("OTHER", "MINE", "NONE"), (NOTFND, 4)),
        (add("OTHER", "LOCKED", ""), (LOCKED, 1)),
        (add("", "MINE", ""), (INVREQ, 2)),
        (rename("PAY", "PAY"), (DUPRES, 1)),
        (rename("NONE", "PAY2"), (NOTFND, 1)),
        (rename("PAY", "A B"), (INVREQ, 8)),
        (
            copy(group("PAYROLL"), "OTHER", Duplicates::Refused),
            (DUPRES, 1),
        ),
        (
            copy(group("NONE"), "OTHER", Duplicates::Refused),
            (NOTFND, 2),
        ),
        (copy(group("PAYROLL"), "", Duplicates::Refused), (INVREQ, 7)),
        (Operation::Remove(place("OTHER", "MINE")), (NOTFND, 2)),
        (Operation::Remove(place("OTHER", "NONE")), (NOTFND, 3)),
        (Operation::Lock(place("MINE", "")), (DUPRES, 2)),
        (Operation::Unlock(place("LOCKED", "")), (LOCKED, 1)),
        (Operation::Lock(place("", "")), (INVREQ, 2)),
    ];
    for (operation, condition) in cases {
        assert_eq!(done(&operation), Err(condition), "{operation:?}");
    }
    // A locked group may be copied.
    assert!(done(&copy(group("PAYROLL"), "NEW", Duplicates::Refused)).is_ok());
}

#[test]
fn a_browse_goes_on_behind_its_last_one() {
    let csd = csd();
    let mut after = None;
    let mut names = Vec::new();
    loop {
        let look = Look::NextDefinition {
            group: "PAYROLL".into(),
            after,
        };
        let Ok(found) = csd.look(&look) else { break };
        names.push(format!(
            "{} {} {}",
            found.kind, found.name, found.attributes
        ));
        after = Some(Resource {
            kind: found.kind,
            name: found.name,
            group: String::new(),
        });
    }
    assert_eq!(
        names,
        [
            "PROGRAM PAY STATUS(DISABLED)",
            "TRANSACTION PAYT PROGRAM(PAY)"
        ]
    );
    let next = |after: &str| {
        let look = Look::NextGroup {
            list: String::new(),
            after: after.into(),
            place: 0,
        };
        csd.look(&look).map(|found| found.name).ok()
    };
    // A group that is gone by now is no hindrance.
    assert_eq!(next("P").as_deref(), Some("PAYROLL"));
    assert_eq!(next("USERDEF"), None);
}

#[test]
fn userdefine_begins_with_user() {
    let mut csd = csd();
    let text =
        " USERDEFINE PROGRAM(TAX) GROUP(NEW) STATUS(ENABLED)\n USERDEFINE FILE(F) GROUP(NEW)\n";
    let problems = csd.parse_deck("b.csd", text);
    let tax = &csd.group("NEW").unwrap()[0];
    assert_eq!(
        (tax.get("EXECKEY"), tax.get("STATUS")),
        (Some("CICS"), Some("ENABLED"))
    );
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].id(), "TXMCS0019E");
}
