//! CESN and CESL: sign on with a password or a phrase, on a screen or in one line.
//!
//! A user that does not exist and a wrong password look alike. The state between inputs is only
//! which fields must be typed next; no password is ever kept.

use super::call::{InternalCall, SECRETS};
use super::latin::latin;
use super::panel::{Key, Panel, Reply};
use super::session::Session;
use super::{clock, good_morning};
use transom_commands::{cmd, opt};
use transom_messages::{self as messages, Message};
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// Characters of a password and of a phrase.
const SECRET_CHARS: (usize, usize) = (8, 100);
/// Above the fields.
const PLEASE: &str = "Type your userid and password, then press ENTER:";
/// Characters of a phrase in its first row.
const PHRASE_ROW_CHARS: usize = 50;

/// Days before a password must be changed in which the user is told.
const WARNING_DAYS: i64 = 14;

/// What the user typed.
#[derive(Default)]
struct Typed {
    userid: String,
    secret: String,
    new: String,
    group: String,
    language: String,
}

/// CESN.
pub(super) fn password(session: &mut Session<'_>) -> Outcome {
    run(session, false)
}

/// CESL.
pub(super) fn phrase(session: &mut Session<'_>) -> Outcome {
    run(session, true)
}

fn run(session: &mut Session<'_>, phrase: bool) -> Outcome {
    let reply = session.receive();
    if session.state.is_none() {
        let given = session.typed(&reply);
        if given.is_empty() {
            let text = messages::ce::type_userid();
            return ask(session, phrase, &Typed::default(), text.line(), "USERID");
        }
        return match one_line(&given) {
            Ok(typed) => sign_on(session, phrase, typed),
            Err(text) => ask(session, phrase, &Typed::default(), text.line(), "USERID"),
        };
    }
    match reply.key {
        Key::Pf(3 | 15) | Key::Clear => session.end(messages::ce::ended()),
        Key::Enter => {
            let typed = fields(&reply, phrase);
            sign_on(session, phrase, typed)
        }
        _ => {
            let (text, typed) = (messages::ce::key_without_meaning(), fields(&reply, phrase));
            // What is typed next is the password, which no field but its own keeps dark.
            let cursor = if typed.userid.is_empty() {
                "USERID"
            } else {
                "SECRET"
            };
            ask(session, phrase, &typed, text.line(), cursor)
        }
    }
}

/// `USERID=ALICE,PS=SECRET,NEWPS=..,GROUPID=..,LANGUAGE=..`
fn one_line(text: &str) -> Result<Typed, Message> {
    let mut typed = Typed::default();
    for part in text.split(',') {
        let (key, value) = part
            .split_once('=')
            .ok_or(messages::ce::keywords_not_understood())?;
        let value = value.trim().trim_matches('\'').to_owned();
        match key.trim().to_ascii_uppercase().as_str() {
            "USERID" | "USER" => typed.userid = value,
            "PS" | "PASSWORD" => typed.secret = value,
            "NEWPS" | "NEWPASSWORD" => typed.new = value,
            "GROUPID" | "GROUP" => typed.group = value,
            "LANGUAGE" | "LANG" => typed.language = value,
            _ => return Err(messages::ce::keyword_unknown()),
        }
    }
    Ok(typed)
}

fn fields(reply: &Reply, phrase: bool) -> Typed {
    let panel = layout(phrase, &Typed::default());
    let read = |name: &str| panel.read(reply, name).unwrap_or_default();
    let long = |name: &str| {
        let mut text = read(name);
        let rest = read(&format!("{name}2"));
        if !rest.is_empty() {
            text = format!("{text:PHRASE_ROW_CHARS$}{rest}");
        }
        text
    };
    Typed {
        userid: read("USERID"),
        secret: long("SECRET"),
        new: long("NEW"),
        group: read("GROUP"),
        language: read("LANGUAGE"),
    }
}

/// Signs on, or shows the screen again with the reason.
fn sign_on(session: &mut Session<'_>, phrase: bool, typed: Typed) -> Outcome {
    if typed.userid.is_empty() {
        let text = messages::ce::type_userid();
        return ask(session, phrase, &typed, text.line(), "USERID");
    }
    let most = if phrase {
        SECRET_CHARS.1
    } else {
        SECRET_CHARS.0
    };
    if typed.secret.is_empty() || typed.secret.chars().count() > most {
        let text = messages::ce::type_password();
        return ask(session, phrase, &typed, text.line(), "SECRET");
    }
    let mut call = signon_call(phrase, &typed);
    session.run(&mut call);
    if call.response() == (Resp::INVREQ, 9) {
        // A new sign-on takes the place of the old one.
        session.run(&mut InternalCall::new(cmd::SIGNOFF));
        session.run(&mut call);
    }
    wipe(&mut call);
    let (text, cursor) = match call.response() {
        (Resp::NORMAL, _) => {
            return session.end(welcome(&call));
        }
        (Resp::NOTAUTH, 3) => (messages::ce::change_password(), "NEW"),
        (Resp::NOTAUTH, 4) => (messages::ce::new_password_refused(), "NEW"),
        (Resp::NOTAUTH, 19) => (messages::ce::revoked(), "USERID"),
        (Resp::NOTAUTH, 20) => (messages::ce::not_in_group(), "GROUP"),
        (Resp::NOTAUTH | Resp::USERIDERR, _) => (messages::ce::sign_on_refused(), "SECRET"),
        (Resp::INVREQ, 14) => (messages::ce::language_not_available(), "LANGUAGE"),
        _ => (messages::ce::not_possible_now(), "USERID"),
    };
    ask(session, phrase, &typed, text.line(), cursor)
}

/// What a user should know on signing on: somebody guessed the password, or it must be changed
/// soon.
fn welcome(call: &InternalCall) -> String {
    let language = call.got_text(opt::LANGINUSE);
    let signed_on = messages::ce::signed_on(&language).to_string();
    let (wrong, left) = (
        call.got_number(opt::INVALIDCOUNT),
        call.got_number(opt::DAYSLEFT),
    );
    if wrong > 0 {
        return format!("{signed_on} Wrong passwords since last time: {wrong}.");
    }
    match left {
        0..=WARNING_DAYS => format!("{signed_on} Days until the password must be changed: {left}."),
        _ => signed_on,
    }
}

fn signon_call(phrase: bool, typed: &Typed) -> InternalCall {
    let mut call = InternalCall::new(cmd::SIGNON)
        .text(opt::USERID, typed.userid.to_ascii_uppercase())
        .out(opt::LANGINUSE)
        .out(opt::INVALIDCOUNT)
        .out(opt::DAYSLEFT);
    let (secret, new) = (latin(&typed.secret), latin(&typed.new));
    call = match phrase {
        true => call.text(opt::PHRASE, secret),
        false => call.text(opt::PASSWORD, secret),
    };
    if !new.is_empty() {
        call = match phrase {
            true => call.text(opt::NEWPHRASE, new),
            false => call.text(opt::NEWPASSWORD, new),
        };
    }
    if !typed.group.is_empty() {
        call = call.text(opt::GROUPID, typed.group.to_ascii_uppercase());
    }
    if !typed.language.is_empty() {
        call = call.text(opt::LANGUAGECODE, typed.language.to_ascii_uppercase());
    }
    call
}

/// A dump of the task after this shows no password.
fn wipe(call: &mut InternalCall) {
    for argument in call.arguments_mut() {
        if SECRETS.contains(&argument.option) {
            argument.storage.fill(0);
        }
    }
}

fn layout(phrase: bool, typed: &Typed) -> Panel {
    let mut panel = Panel::new();
    panel
        .text(8, 2, PLEASE)
        .text(10, 11, "Userid . . . .")
        .input("USERID", (10, 26), 8, &typed.userid)
        .text(10, 38, "Groupid . . .")
        .input("GROUP", (10, 52), 8, &typed.group)
        .text(
            12,
            11,
            if phrase {
                "Phrase . . . ."
            } else {
                "Password . . ."
            },
        );
    if phrase {
        let rest = SECRET_CHARS.1 - PHRASE_ROW_CHARS;
        panel
            .hidden("SECRET", 12, 26, PHRASE_ROW_CHARS)
            .hidden("SECRET2", 13, 26, rest)
            .text(15, 11, "Language . . .")
            .input("LANGUAGE", (15, 26), 3, &typed.language)
            .text(17, 7, "New Phrase . . . .")
            .hidden("NEW", 17, 26, PHRASE_ROW_CHARS)
            .hidden("NEW2", 18, 26, rest);
    } else {
        panel
            .hidden("SECRET", 12, 26, SECRET_CHARS.0)
            .text(14, 11, "Language . . .")
            .input("LANGUAGE", (14, 26), 3, &typed.language)
            .text(16, 7, "New Password . . .")
            .hidden("NEW", 16, 26, SECRET_CHARS.0);
    }
    panel
}

/// Shows the screen; the next input comes back here.
fn ask(
    session: &mut Session<'_>,
    phrase: bool,
    typed: &Typed,
    text: &str,
    cursor: &str,
) -> Outcome {
    let mut panel = layout(phrase, typed);
    let facts = session.facts();
    let (date, time) = clock::now(session.host);
    panel
        .bright(1, 28, "Signon to CICS")
        .text(1, 60, format!("APPLID {}", facts.applid))
        .text(2, 60, format!("{date} {time}"))
        .bright(23, 2, text)
        .text(24, 2, "F3=Exit");
    good_morning::greeting(session, &mut panel, 4);
    panel.cursor(cursor);
    session.show(&panel);
    session.again(b"S")
}
