//! The rows agree with each other and with the condition names.

use std::collections::{BTreeMap, BTreeSet};
use transom_commands::{
    ArgKind, OptionId, Status, all, by_words, cmd, command, option_by_name, option_name,
    reference_page,
};
use transom_types::Resp;

#[test]
fn every_command_is_found_by_its_own_words() {
    for row in all() {
        assert_eq!(
            by_words(row.words).map(|c| c.id),
            Some(row.id),
            "{}",
            row.name
        );
        for form in row.also {
            assert_eq!(by_words(form).map(|c| c.id), Some(row.id), "{form:?}");
        }
        assert_eq!(command(row.id).map(|c| c.name), Some(row.name));
    }
}

#[test]
fn words_are_unique() {
    let mut seen = BTreeSet::new();
    for row in all() {
        for form in std::iter::once(&row.words).chain(row.also) {
            let mut words = form.to_vec();
            words[1..].sort_unstable();
            assert!(seen.insert(words), "{form:?} twice");
        }
    }
}

#[test]
fn option_numbers_and_names_agree() {
    let mut count = 0;
    for row in all() {
        for option in row.options {
            let main = option_name(option.id);
            assert!(!main.is_empty(), "{} {}", row.name, option.keyword);
            assert_eq!(option_by_name(main), Some(option.id));
            assert_eq!(row.option_by_id(option.id).map(|o| o.keyword), Some(main));
            count += 1;
        }
    }
    assert!(count > 5_000, "only {count} options");
    assert_eq!(option_name(OptionId(0)), "");
    assert_eq!(option_name(OptionId(u16::MAX)), "");
}

#[test]
fn lengths_are_numbers_of_the_same_command() {
    for row in all() {
        for option in row.options {
            for length in option.lengths {
                let spec = row.option_by_id(*length);
                let spec = spec.unwrap_or_else(|| panic!("{} {}", row.name, option.keyword));
                assert!(
                    matches!(
                        spec.argument,
                        ArgKind::DataValue { .. } | ArgKind::DataArea { .. }
                    ),
                    "{} {}",
                    row.name,
                    spec.keyword
                );
            }
        }
    }
}

#[test]
fn conditions_are_resp_names() {
    for row in all() {
        for condition in row.conditions {
            assert!(
                Resp::by_name(condition).is_some(),
                "{}: {condition}",
                row.name
            );
        }
    }
}

/// Forms of one command share a code (`SEND MAP` and `SEND MAP MAPPINGDEV`), as do `START` and
/// `START BREXIT`, `INQUIRE TASK` and its list, and SPOOLOPEN in and out: the first two words or
/// the verb are the same. Any other double code is a mistake.
#[test]
fn function_codes_are_unique() {
    let mut seen: BTreeMap<[u8; 2], &str> = BTreeMap::new();
    for row in all() {
        let special = row.fn_when.iter().map(|(_, code)| *code);
        for code in row.fn_code.into_iter().chain(special) {
            if let Some(before) = seen.insert(code, row.name) {
                let verb = |name: &str| name.split(' ').next().map(str::to_string);
                assert_eq!(
                    verb(before),
                    verb(row.name),
                    "{before} and {}: {code:02X?}",
                    row.name
                );
            }
        }
    }
    assert!(seen.len() > 100);
}

#[test]
fn handle_and_ignore_condition_know_every_condition() {
    for id in [cmd::HANDLE_CONDITION, cmd::IGNORE_CONDITION] {
        let row = command(id).unwrap();
        for (_, name) in Resp::all() {
            assert!(row.option(name).is_some(), "{}: {name}", row.name);
        }
        for option in row.options {
            assert!(
                Resp::by_name(option.keyword).is_some(),
                "{}",
                option.keyword
            );
        }
    }
    let handle = command(cmd::HANDLE_CONDITION).unwrap();
    assert!(
        handle
            .options
            .iter()
            .all(|o| o.argument == ArgKind::Label && o.argument_optional)
    );
}

#[test]
fn the_page_names_every_command_and_option() {
    let page = reference_page();
    for row in all() {
        assert!(
            page.contains(&format!("\n### {}\n", row.name)),
            "{}",
            row.name
        );
    }
    let link = page
        .split("\n### LINK\n")
        .nth(1)
        .unwrap()
        .split("\n### ")
        .next()
        .unwrap();
    assert!(link.contains("Works. EIBFN X'0E02'."), "{link}");
    assert!(
        link.contains("`COMMAREA`") && link.contains("- Conditions: CHANNELERR INVREQ"),
        "{link}"
    );
    assert!(!page.contains("  \n"));
}

#[test]
fn options_never_promise_more_than_their_command() {
    for row in all().iter().filter(|c| c.status == Status::Invreq) {
        for option in row.options {
            assert_ne!(
                option.status,
                Status::Works,
                "{} {}",
                row.name,
                option.keyword
            );
        }
    }
}
