//! `[users]` and `[authority]` as the region takes them.

use super::SystemDirectory;
use transom_region_server::{PasswordRules, Rules, SecurityMode, UserConfig};
use transom_settings::{Settings, UserSettings};

/// Users, rules and what is checked.
pub(crate) fn config(system: &SystemDirectory) -> UserConfig {
    let (users, sit) = (&system.settings.users, &system.settings.region);
    UserConfig {
        file: Some(users.path(&system.root)),
        passwords: passwords(users),
        security: match sit.sec {
            "YES" => SecurityMode::Yes,
            "NO" => SecurityMode::No,
            _ => SecurityMode::Auto,
        },
        commands_always: sit.cmdsec == "ALWAYS",
        resources_always: sit.ressec == "ALWAYS",
        rules: system.rules.clone(),
        greeting: match sit.gmtext.as_str() {
            "" => "Welcome to Transom".to_owned(),
            text => text.to_owned(),
        },
        ..UserConfig::default()
    }
}

/// What passwords must be like.
pub(crate) fn passwords(users: &UserSettings) -> PasswordRules {
    PasswordRules {
        attempts_max: users.attempts_max,
        days: users.password_days,
        chars_min: users.password_min,
    }
}

/// Reads the rules of [authority]; those that cannot be used are problems of their lines.
pub(super) fn rules(settings: &Settings, problems: &mut Vec<(usize, String)>) -> Rules {
    let mut rules = Rules::default();
    for rule in &settings.authority {
        let taken = rules.set(&rule.key, &rule.who);
        problems.extend(taken.err().map(|text| (rule.line, text)));
    }
    rules
}
