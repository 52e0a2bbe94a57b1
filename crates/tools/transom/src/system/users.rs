//! `[users]` and `[authority]` as the region takes them.

use transom_messages::Message;
use transom_reload::Readers;
use transom_security::{PasswordRules, Rules, SecurityMode, UserConfig, UserFile};
use transom_settings::{Settings, UserSettings};
use transom_system::SystemDirectory;

/// How they are read again.
pub(crate) const READERS: Readers = Readers {
    config,
    problems,
    problem,
    log: transom_log::set_level,
};

/// Users, rules and what is checked.
pub(crate) fn config(system: &SystemDirectory) -> UserConfig {
    let (users, sit) = (&system.settings.users, &system.settings.region);
    UserConfig {
        file: Some(users.path(&system.root)),
        memory: Some(system.own("had-users")),
        passwords: passwords(users),
        security: match sit.sec {
            "YES" => SecurityMode::Yes,
            "NO" => SecurityMode::No,
            _ => SecurityMode::Auto,
        },
        commands_always: sit.cmdsec == "ALWAYS",
        resources_always: sit.ressec == "ALWAYS",
        rules: rules(&system.settings).0,
        greeting: match sit.gmtext.as_str() {
            "" => "Welcome to Transom".to_owned(),
            text => text.to_owned(),
        },
        ..UserConfig::default()
    }
}

/// Why nobody of the file of users could sign on.
pub(crate) fn problem(system: &SystemDirectory) -> Option<Message> {
    let users = &system.settings.users;
    let path = users.path(&system.root);
    UserFile::new(&path, passwords(users)).list().err()
}

/// What passwords must be like.
pub(crate) fn passwords(users: &UserSettings) -> PasswordRules {
    PasswordRules {
        attempts_max: users.attempts_max,
        lockout: users.lockout_seconds,
        days: users.password_days,
        chars_min: users.password_min,
    }
}

/// What is wrong with the rules of [authority], with their lines.
pub(crate) fn problems(settings: &Settings) -> Vec<(usize, String)> {
    rules(settings).1
}

fn rules(settings: &Settings) -> (Rules, Vec<(usize, String)>) {
    let (mut rules, mut problems) = (Rules::default(), Vec::new());
    for rule in &settings.authority {
        let taken = rules.set(&rule.key, &rule.who);
        problems.extend(taken.err().map(|text| (rule.line, text.into())));
    }
    (rules, problems)
}
