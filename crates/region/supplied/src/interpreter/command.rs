//! A command written as text -> a call: what CECI and CECS do with a line.
//!
//! What: [`parse`] finds command and options by the command table, [`build`] makes the call.
//! Keywords may be cut short; names and numbers need no quotes; `&NAME` is a variable. Not here:
//! cutting the line (`words`), running it, screens.

use crate::call::{Form, InternalCall};
use crate::words::{Value, Word, words};
use std::collections::BTreeMap;
use transom_commands::{ArgKind, Command, OptionSpec};
use transom_messages::{self as messages, Message};

/// Longest variable.
pub(super) const VARIABLE_BYTES_MAX: usize = 32_767;

/// Variables by name, without the `&`.
pub(crate) type Variables = BTreeMap<String, Vec<u8>>;

/// An option as written.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub spec: &'static OptionSpec,
    pub value: Option<Value>,
}

/// A command as written.
#[derive(Debug, Clone)]
pub(super) struct Parsed {
    pub command: &'static Command,
    pub given: Vec<Given>,
    /// What is wrong with it, one sentence each.
    pub problems: Vec<String>,
}

/// Reads a command. The error is for the message line.
pub(super) fn parse(text: &str) -> Result<Parsed, Message> {
    let mut words = words(text)?;
    if words.len() >= 2 && words[0].text == "EXEC" && words[1].text == "CICS" {
        words.drain(..2);
    }
    if words.last().is_some_and(|word| word.text == "END-EXEC") {
        words.pop();
    }
    let command = find(&mut words)?;
    let mut parsed = Parsed {
        command,
        given: Vec::new(),
        problems: Vec::new(),
    };
    for (at, word) in words.into_iter().enumerate() {
        if at == 0 && command.option(&word.text).is_none() {
            continue;
        }
        if word.value.is_none() && command.is_plain_word(&word.text) {
            continue;
        }
        take(&mut parsed, word);
    }
    check(&mut parsed);
    Ok(parsed)
}

/// The command of the words; abbreviated words become whole ones.
fn find(words: &mut [Word]) -> Result<&'static Command, Message> {
    let Some(verb) = words.first().map(|word| word.text.clone()) else {
        return Err(messages::ci::no_command());
    };
    let mut verbs: Vec<&str> = forms().filter_map(|form| form.first().copied()).collect();
    verbs.sort_unstable();
    verbs.dedup();
    let Some(whole) = unique(&verb, &verbs) else {
        return Err(messages::ci::not_a_command(&verb));
    };
    words[0].text = whole.to_owned();
    let mut keywords: Vec<&str> = Vec::new();
    for form in forms().filter(|form| form.first() == Some(&whole)) {
        keywords.extend(&form[1..]);
    }
    keywords.sort_unstable();
    keywords.dedup();
    let spelled = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>();
    if let Some(command) = transom_commands::by_words(&spelled) {
        return Ok(command);
    }
    // The word that tells the command apart may be cut short: I TASK, SE MAP.
    if let Some(second) = words.get(1)
        && let Some(word) = unique(&second.text, &keywords)
    {
        words[1].text = word.to_owned();
    }
    let spelled = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>();
    transom_commands::by_words(&spelled)
        .ok_or_else(|| messages::ci::more_words(whole, keywords.join(" ")))
}

fn forms() -> impl Iterator<Item = &'static [&'static str]> {
    let all = transom_commands::all().iter();
    all.flat_map(|c| std::iter::once(c.words).chain(c.also.iter().copied()))
}

/// The candidate itself, or the only one that begins so.
fn unique<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    if let Some(same) = candidates.iter().find(|c| **c == word) {
        return Some(same);
    }
    let mut fitting = candidates.iter().filter(|c| c.starts_with(word));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

/// Adds one option.
fn take(parsed: &mut Parsed, word: Word) {
    let names: Vec<&str> = parsed.command.options.iter().map(|o| o.keyword).collect();
    let name = match parsed.command.option(&word.text) {
        Some(_) => Some(word.text.as_str()),
        // Options may be cut short; of several the first in the table counts, as Q for QUEUE.
        None => names.iter().copied().find(|n| n.starts_with(&word.text)),
    };
    let Some(spec) = name.and_then(|name| parsed.command.option(name)) else {
        let text = messages::ci::option_unknown(parsed.command.name, &word.text).to_string();
        return parsed.problems.push(text);
    };
    if parsed.given.iter().any(|given| given.spec.id == spec.id) {
        let text = messages::ci::option_twice(spec.keyword).to_string();
        return parsed.problems.push(text);
    }
    let takes = !matches!(spec.argument, ArgKind::None);
    match (&word.value, takes) {
        (Some(_), false) => parsed
            .problems
            .push(messages::ci::option_without_value(spec.keyword).to_string()),
        (None, true) if !spec.argument_optional && !spec.argument.is_output() => {
            let text = messages::ci::value_missing(spec.keyword).to_string();
            parsed.problems.push(text);
        }
        _ => {}
    }
    let value = word.value.filter(|_| takes);
    parsed.given.push(Given { spec, value });
}

/// What is missing.
fn check(parsed: &mut Parsed) {
    let has = |id| parsed.given.iter().any(|given| given.spec.id == id);
    let mut missing = Vec::new();
    for option in parsed.command.options {
        if option.required && !has(option.id) {
            missing.push(option.keyword.to_owned());
        }
    }
    for group in parsed.command.needs_one_of {
        if !group.iter().any(|id| has(*id)) {
            let names: Vec<&str> = group
                .iter()
                .map(|id| transom_commands::option_name(*id))
                .collect();
            missing.push(names.join(" or "));
        }
    }
    let name = parsed.command.name;
    let texts = missing
        .into_iter()
        .map(|missing| messages::ci::option_missing(name, &missing).to_string());
    parsed.problems.extend(texts);
}

/// Makes the call. `every_output`: what the command can answer is asked for even if it was not
/// written.
pub(super) fn build(
    parsed: &Parsed,
    variables: &Variables,
    every_output: bool,
) -> Result<InternalCall, Message> {
    let mut call = InternalCall::new(parsed.command.id);
    for given in &parsed.given {
        if is_response(given.spec.keyword) {
            continue;
        }
        call = argument(call, given, variables)?;
    }
    if every_output {
        let has = |id| parsed.given.iter().any(|given| given.spec.id == id);
        let outputs = parsed.command.options.iter().filter(|o| {
            matches!(o.argument, ArgKind::CvdaOut | ArgKind::DataArea { .. })
                && Form::of(o.argument).1 > 0
                && o.status != transom_commands::Status::Invreq
                && !has(o.id)
        });
        for option in outputs {
            call = call.out(option.id);
        }
    }
    Ok(call)
}

fn is_response(keyword: &str) -> bool {
    matches!(keyword, "RESP" | "RESP2" | "NOHANDLE")
}

fn argument(
    call: InternalCall,
    given: &Given,
    variables: &Variables,
) -> Result<InternalCall, Message> {
    let option = given.spec.id;
    let (form, size) = Form::of(given.spec.argument);
    if form == Form::Flag || (given.value.is_none() && !given.spec.argument.is_output()) {
        return Ok(call.flag(option));
    }
    let bytes = match &given.value {
        None => return Ok(call.out(option)),
        Some(Value::Literal(bytes)) => bytes.clone(),
        Some(Value::Variable(name)) => match variables.get(name) {
            Some(bytes) => bytes.clone(),
            None if given.spec.argument.is_output() => return Ok(call.out(option)),
            None => return Err(messages::ci::variable_unknown(name)),
        },
    };
    if matches!(given.spec.argument, ArgKind::DataArea { .. }) && form == Form::Text {
        let room = if size > 0 { size } else { bytes.len().max(1) };
        let mut call = call.out_bytes(option, room);
        if let Some(area) = call.arguments_mut().last_mut() {
            for (to, from) in area.storage.iter_mut().zip(&bytes) {
                *to = *from;
            }
        }
        return Ok(call);
    }
    match form {
        Form::Text => Ok(call.text(option, bytes)),
        Form::Binary | Form::Packed => {
            let text = String::from_utf8_lossy(&bytes).trim().to_ascii_uppercase();
            let cvda = matches!(given.spec.argument, ArgKind::Cvda | ArgKind::CvdaOut);
            let named = transom_commands::dfhvalue(&text).filter(|_| cvda);
            let number = named.map(i64::from).or_else(|| text.parse().ok());
            let number = number.ok_or_else(|| {
                let keyword = given.spec.keyword;
                messages::ci::value_not_possible(&text, keyword)
            })?;
            Ok(call.number(option, number))
        }
        Form::Pointer | Form::Flag => Ok(call.out(option)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::{cmd, opt};
    use transom_workers::seam::Call;

    fn call(text: &str) -> InternalCall {
        let parsed = parse(text).unwrap();
        assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
        build(&parsed, &Variables::new(), false).unwrap()
    }

    #[test]
    fn commands_as_users_type_them() {
        let wrote = call("WRITEQ TS QUEUE(ORDERS) FROM('it''s here')");
        assert_eq!(wrote.command(), cmd::WRITEQ_TS);
        assert_eq!(wrote.bytes(opt::FROM), Some(&b"it's here"[..]));
        assert_eq!(wrote.got_text(opt::QUEUE), "ORDERS");
        let read = call("exec cics readq ts q(orders) item(2) into end-exec");
        assert_eq!(read.got_number(opt::ITEM), 2);
        let set = call("SET PROGRAM(PAY) STATUS(DISABLED)");
        assert_eq!(set.got_cvda(opt::STATUS), "DISABLED");
        let hex = call("WRITEQ TS QUEUE(Q) FROM(X'C1C2')");
        assert_eq!(hex.bytes(opt::FROM), Some(&[0xC1, 0xC2][..]));
    }

    #[test]
    fn mistakes_are_said() {
        let problem = |text: &str| match parse(text) {
            Ok(parsed) => parsed.problems.first().cloned().unwrap_or_default(),
            Err(text) => text.into(),
        };
        assert_eq!(problem("FROB"), "TXMCI0002E FROB is not a command");
        assert_eq!(
            problem("READQ TS INTO(&A)"),
            "TXMCI0007E READQ TS needs the option QUEUE or QNAME"
        );
        assert_eq!(
            problem("DELAY FOR SECONDS(1) FISH"),
            "TXMCI0003E DELAY has no option FISH"
        );
        assert!(problem("WRITEQ TS QUEUE('A").contains("not closed"));
    }

    #[test]
    fn variables_give_and_take() {
        let mut variables = Variables::new();
        variables.insert("Q".into(), b"NAMES".to_vec());
        variables.insert("DATA".into(), vec![b' '; 20]);
        let parsed = parse("READQ TS QUEUE(&q) INTO(&data)").unwrap();
        let call = build(&parsed, &variables, false).unwrap();
        assert_eq!(call.got_text(opt::QUEUE), "NAMES");
        assert_eq!(call.bytes(opt::INTO).map(<[u8]>::len), Some(20));
        let parsed = parse("WRITEQ TS QUEUE(A) FROM(&X)").unwrap();
        assert_eq!(
            build(&parsed, &variables, false).unwrap_err().line(),
            "TXMCI0011E there is no variable &X"
        );
    }
}
