//! What the table says, by examples, and that it says all of it.

use transom_commands::{ArgKind, Status, option_name};
use transom_resources::{
    ColumnKind, Constant, Effect, FieldValue, Installs, ResourceKind, Rule, Set, View, none_of,
    views,
};

/// Every option INQUIRE has an answer for.
fn answered(kind: ResourceKind) -> Vec<&'static str> {
    let of_attributes = kind.attributes().iter().flat_map(|a| a.answers);
    let answers = of_attributes.chain(kind.other_answers()).map(|a| a.name);
    answers
        .chain(kind.constants().map(|(option, _)| option_name(option)))
        .collect()
}

/// Kinds whose INQUIRE works.
fn inquired() -> impl Iterator<Item = (ResourceKind, &'static transom_commands::Command)> {
    ResourceKind::all().filter_map(|kind| {
        let command = transom_commands::by_words(&["INQUIRE", kind.keyword()])?;
        (command.status == Status::Works).then_some((kind, command))
    })
}

#[test]
fn an_attribute_of_a_program() {
    let cedf = ResourceKind::Program.attribute("CEDF").unwrap();
    assert_eq!(cedf.rule, Rule::OneOf(&["YES", "NO"]));
    assert_eq!((cedf.default, cedf.effect), ("YES", Effect::Acts));
    let field = cedf.field.unwrap();
    assert_eq!((field.name, field.doc), ("cedf", "CEDF(YES)."));
    assert_eq!(field.value, FieldValue::Flag(&["YES"]));
    let [answer] = cedf.answers else {
        panic!("{:?}", cedf.answers);
    };
    assert_eq!((answer.name, answer.set), ("CEDFSTATUS", Set::Record));
    assert_eq!(answer.words, ["CEDF", "NOCEDF"]);
}

#[test]
fn kinds_are_found_by_the_beginning_of_their_name() {
    assert_eq!(
        ResourceKind::by_keyword("TRANS"),
        Some(ResourceKind::Transaction)
    );
    assert_eq!(ResourceKind::by_keyword("TRAN"), None);
    assert_eq!(ResourceKind::by_keyword("TS"), None);
    for (at, kind) in ResourceKind::all().enumerate() {
        assert_eq!(kind as usize, at);
        assert_eq!(ResourceKind::by_keyword(kind.keyword()), Some(kind));
    }
}

#[test]
fn every_option_of_inquire_is_answered() {
    for (kind, command) in inquired() {
        let answered = answered(kind);
        let given = command.options.iter().filter(|o| {
            let answered = matches!(o.status, Status::Works | Status::Constant);
            let out = o.argument.is_output() && answered;
            out && o.keyword != kind.keyword() && !matches!(o.argument, ArgKind::Label)
        });
        for option in given {
            assert!(
                answered.contains(&option.keyword),
                "INQUIRE {}: nobody answers {}",
                kind.keyword(),
                option.keyword
            );
        }
    }
}

/// What all resources of a kind answer alike is constant in the command table, and nothing else is:
/// neither table can say more than the other.
#[test]
fn constants_are_the_same_in_both_tables() {
    let netname = transom_commands::by_words(&["INQUIRE", "NETNAME"]).unwrap();
    let inquiries = inquired().chain([(ResourceKind::Terminal, netname)]);
    for (kind, command) in inquiries {
        let of_attributes = kind.attributes().iter().flat_map(|a| a.answers);
        let told: Vec<_> = of_attributes
            .chain(kind.other_answers())
            .map(|answer| answer.option)
            .collect();
        let constant = |option| {
            let mut all = kind.constants().map(|(option, _)| option);
            all.any(|constant| constant == option) && !told.contains(&option)
        };
        for option in command.options {
            assert_eq!(
                option.status == Status::Constant,
                constant(option.id) && option.argument.is_output(),
                "{} {}",
                command.name,
                option.keyword
            );
        }
    }
}

/// SET of what is only shown has no effect.
#[test]
fn set_of_what_is_only_shown_is_ignored() {
    for kind in ResourceKind::all() {
        let Some(set) = transom_commands::by_words(&["SET", kind.keyword()]) else {
            continue;
        };
        if set.words != ["SET", kind.keyword()] || set.status != Status::Works {
            continue;
        }
        for attribute in kind.attributes() {
            let settable = attribute.answers.iter().filter(|a| a.set != Set::No);
            for answer in settable {
                let option = set.option_by_id(answer.option).unwrap();
                let expected = match attribute.effect {
                    Effect::Acts => Status::Works,
                    Effect::Shown | Effect::Kept => Status::Ignored,
                };
                assert_eq!(option.status, expected, "{} {}", set.name, answer.name);
            }
        }
    }
}

/// A value whose number is not published is answered as 0 (see `docs/provenance.md`).
#[test]
fn cics_values_have_numbers() {
    let mut without = std::collections::BTreeSet::new();
    for (kind, _) in inquired() {
        let answers = kind.attributes().iter().flat_map(|a| a.answers);
        let words = answers.chain(kind.other_answers()).flat_map(|a| a.words);
        let constants = kind.constants().filter_map(|(_, constant)| match constant {
            Constant::Value(word) => Some(word),
            _ => None,
        });
        let all = words.copied().chain(constants);
        without.extend(all.filter(|word| transom_commands::dfhvalue(word).is_none()));
    }
    assert_eq!(Vec::from_iter(without), ["GRPLIST"]);
}

#[test]
fn what_inquire_tells_of_an_attribute_that_changes_is_a_value_of_the_field() {
    for kind in ResourceKind::all() {
        for attribute in kind.attributes() {
            let many = match attribute.field.map(|field| field.value) {
                Some(FieldValue::Flag(_) | FieldValue::Given) => 2,
                Some(FieldValue::Choice(_, variants)) => variants.len(),
                _ => 0,
            };
            for answer in attribute.answers.iter().filter(|a| !a.by_code) {
                assert!(attribute.field.is_some(), "{}", answer.name);
                assert_eq!(answer.words.len(), many, "{}", answer.name);
            }
        }
    }
}

#[test]
fn kinds_without_behaviour_are_refused() {
    let refused = || ResourceKind::all().filter(|kind| kind.installs() == Installs::Refused);
    assert!(refused().count() > 0);
    for kind in refused() {
        let keyword = kind.keyword();
        let mut attributes = kind.attributes().iter();
        assert!(attributes.all(|a| a.effect == Effect::Kept), "{keyword}");
        assert!(kind.record().is_none(), "{keyword}");
        assert!(
            View::of(keyword).is_none_or(|view| view.name != keyword),
            "{keyword}"
        );
    }
    assert!(none_of().is_sorted());
}

#[test]
fn cemt_finds_views_and_words_cut_short() {
    assert_eq!(View::of("TRA").unwrap().name, "TRANSACTION");
    assert_eq!(View::of("DATAS").unwrap().name, "FILE");
    assert!(View::of("BANANA").is_none());
    let program = View::of("PROG").unwrap();
    assert_eq!(program.word("DIS"), Some("DISABLED"));
    assert_eq!(program.word("NEW"), Some("NEWCOPY"));
    assert_eq!(program.key_chars, 8);
    let transaction = View::of("TRAN").unwrap();
    let priority = transaction.settable("PRI").unwrap();
    assert_eq!(
        (priority.label, priority.kind),
        ("Pri", ColumnKind::Number(3))
    );
    let netname = View::of("NETNAME").unwrap();
    let words = netname.columns.iter().flat_map(|c| c.words);
    assert!(words.copied().any(|word| word == "TRANIDONLY"));
    // Behind those of views.txt come kinds with columns of which it says nothing.
    let place = |name: &str| views().iter().position(|view| view.name == name);
    assert!(place("JOURNALMODEL") > place("AUTOINSTALL"));
}

#[test]
fn the_page_has_every_kind() {
    let page = transom_resources::reference_page();
    for kind in ResourceKind::all() {
        assert!(page.contains(&format!("\n## {}\n", kind.keyword())));
    }
    let row = "| `CEDF` | `YES` `NO` | `YES` | acts | [`CEDFSTATUS`*] |\n";
    assert!(page.contains(row), "{page}");
}
