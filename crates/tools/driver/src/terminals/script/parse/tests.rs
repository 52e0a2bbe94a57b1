//! Scripts as users write them, and what they are told.

use super::*;

fn read(text: &str) -> Result<Script, Problem> {
    parse(text, &mut |name| match name {
        "users.csv" => Ok("ID,PASSWORD\nU1,secret\n".into()),
        _ => Err("there is no such file".into()),
    })
}

#[test]
fn a_session() {
    let script = read(
        r#"
# sign on, then ask for customers
user-file users.csv
transaction CESN as "sign-on"
type 10,26 "$ID"
field 2 $PASSWORD
key ENTER
expect "complete" at 24,2
loop
  random NUMBER 1 500
  transaction "CUST ${NUMBER}"
  capture NAME 5,20,30
  expect "$NAME costs 3 $$"
  think 2s
end
"#,
    )
    .unwrap();
    assert_eq!(script.slots, ["USER", "ID", "PASSWORD", "NUMBER", "NAME"]);
    assert_eq!(
        script.labels,
        ["sign-on", "CLEAR", "line 7 ENTER", "CUST ${NUMBER}"]
    );
    let Action::Loop { times: None, end } = script.statements[5].action else {
        panic!("{:?}", script.statements[5]);
    };
    assert_eq!(script.statements[end].action, Action::End { begin: 5 });
    let Action::Expect { text, at: None } = &script.statements[9].action else {
        panic!("{:?}", script.statements[9]);
    };
    let values = ["1", "U1", "secret", "007", "Roe"].map(str::to_owned);
    assert_eq!(text.fill(&values), "Roe costs 3 $");
    assert_eq!(script.statements[10].action, Action::Think(2_000));
}

#[test]
fn mistakes_have_a_place() {
    for (text, place, part) in [
        ("exspect \"a\"", "1:1", "is no statement"),
        ("\n\ntype 1 \"a\"", "3:6", "ROW,COLUMN"),
        ("type 0,1 \"a\"", "1:6", "from 1"),
        ("type 1,1", "1:9", "a text is missing"),
        ("key PF25", "1:5", "PF1 to PF24"),
        ("expect \"$NAM\"", "1:8", "there are $USER"),
        ("expect \"a\" at 1,1 now", "1:19", "too much"),
        ("think 2h", "1:7", "ms or s"),
        ("think 99999999999999999999s", "1:7", "at most a day"),
        ("loop 2\nkey ENTER", "1:1", "has no end"),
        ("end", "1:1", "no loop"),
        ("user-file none.csv", "1:11", "no such file"),
        ("capture USER 1,1,2", "1:9", "cannot be the name"),
        ("random N 5 1", "1:12", "from 5"),
    ] {
        let error = read(text).unwrap_err().place_first().to_string();
        assert!(
            error.starts_with(place) && error.contains(part),
            "{text}: {error}"
        );
    }
}
