//! A table of settings: the macro that makes struct, defaults, check and reference rows from one
//! row for each setting.
//!
//! A row is
//!
//! ```text
//! /// Sessions at a time, {values}; further connections are closed.
//! max_sessions: usize = 10_000, Number(1, 100_000);
//! ```
//!
//! The comment is the meaning on the reference page, `{values}` and `{max}` in it come from the
//! kind. A default that is not a value itself is written behind it: `= None => "APPLID"`.

use crate::kind::Kind;
use crate::problem::{Needed, SettingProblem};
use core::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use transom_types::nearest;

/// A row as the reference page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) key: String,
    /// What it takes.
    pub(crate) values: String,
    pub(crate) default: String,
    pub(crate) meaning: String,
}

/// A table of transom.toml.
pub(crate) trait Table: Default {
    /// As messages name it, in brackets.
    const NAME: &'static str;

    /// The sentences below its heading on the reference page.
    const ABOUT: &'static [&'static str];

    /// All settings in the order of the page.
    fn rows() -> Vec<Row>;

    /// Checks and takes a value; `None`: there is no such key.
    fn take(&mut self, key: &str, value: &str) -> Option<Result<(), Needed>>;

    /// Takes one `key = value`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), SettingProblem> {
        match self.take(key, value) {
            Some(taken) => taken.map_err(|why| SettingProblem::value(key, value, why)),
            None => {
                let rows = Self::rows();
                let near = nearest(key, rows.iter().map(|row| row.key.as_str()));
                Err(SettingProblem::unknown(Self::NAME, key, near))
            }
        }
    }
}

/// A type that a setting can have.
pub(crate) trait Field {
    /// What a kind gives it.
    type Value;

    fn put(&mut self, value: Self::Value);

    /// The default as the page shows it.
    fn shown(&self) -> String;

    /// The rows of the page that a row of the table stands for.
    fn rows(&self, row: Row) -> Vec<Row> {
        vec![row]
    }
}

/// What a setting can have many of, by a syntax of its own; without a default.
pub(crate) trait Entry {}

/// Checks and stores a value.
pub(crate) fn put<F: Field, K: Kind<Value = F::Value>>(
    field: &mut F,
    value: &str,
    kind: &K,
) -> Result<(), Needed> {
    kind.check(value).map(|value| field.put(value))
}

/// The rows of a setting.
pub(crate) fn rows<F: Field, K: Kind<Value = F::Value>>(
    key: &str,
    default: (&F, Option<&str>),
    meaning: &[&str],
    kind: &K,
) -> Vec<Row> {
    let (field, said) = default;
    let meaning = meaning.concat();
    let meaning = meaning.replace("{values}", &kind.values());
    field.rows(Row {
        key: key.to_owned(),
        values: kind.values(),
        default: said.map_or_else(|| field.shown(), str::to_owned),
        meaning: meaning.replace("{max}", &kind.max()).trim().to_owned(),
    })
}

macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident in $table:literal {
            $(
                $(#[doc = $meaning:literal])+
                $key:ident : $type:ty = $default:expr $(=> $said:literal)?, $kind:expr;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone)]
        pub struct $name {
            $(
                $(#[doc = $meaning])+
                pub $key: $type,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        impl $crate::table::Table for $name {
            const NAME: &'static str = $table;
            const ABOUT: &'static [&'static str] = &[$($about),+];

            fn rows() -> Vec<$crate::table::Row> {
                let default = Self::default();
                let mut rows = Vec::new();
                $({
                    let said: &[&str] = &[$($said)?];
                    let shown = (&default.$key, said.first().copied());
                    let meaning = [$($meaning),+];
                    rows.extend($crate::table::rows(stringify!($key), shown, &meaning, &$kind));
                })+
                rows
            }

            fn take(&mut self, key: &str, value: &str) -> Option<Result<(), $crate::problem::Needed>> {
                match key {
                    $(stringify!($key) => {
                        Some($crate::table::put(&mut self.$key, value, &$kind))
                    })+
                    _ => None,
                }
            }
        }
    };
}

/// Types that are shown as they are written.
macro_rules! plain_fields {
    ($($type:ty)+) => {
        $(
            impl Field for $type {
                type Value = $type;

                fn put(&mut self, value: $type) {
                    *self = value;
                }

                fn shown(&self) -> String {
                    self.to_string()
                }
            }
        )+
    };
}

plain_fields!(u32 u64 usize IpAddr &'static str);

/// Settings without a default.
macro_rules! optional_fields {
    ($($type:ty)+) => {
        $(
            impl Field for Option<$type> {
                type Value = $type;

                fn put(&mut self, value: $type) {
                    *self = Some(value);
                }

                fn shown(&self) -> String {
                    self.as_ref().map_or_else(|| "none".to_owned(), |v| format!("{v:?}"))
                }
            }
        )+
    };
}

optional_fields!(u16 String PathBuf);

impl Field for Duration {
    type Value = Duration;

    fn put(&mut self, value: Duration) {
        *self = value;
    }

    fn shown(&self) -> String {
        self.as_secs().to_string()
    }
}

/// A time that may be for ever, which is written as 0.
impl Field for Option<Duration> {
    type Value = Duration;

    fn put(&mut self, value: Duration) {
        *self = Some(value).filter(|time| !time.is_zero());
    }

    fn shown(&self) -> String {
        self.unwrap_or_default().shown()
    }
}

impl Field for bool {
    type Value = bool;

    fn put(&mut self, value: bool) {
        *self = value;
    }

    fn shown(&self) -> String {
        if *self { "YES" } else { "NO" }.to_owned()
    }
}

impl Field for String {
    type Value = String;

    fn put(&mut self, value: String) {
        *self = value;
    }

    fn shown(&self) -> String {
        if self.is_empty() { "-" } else { self }.to_owned()
    }
}

impl<T: Entry> Field for Vec<T> {
    type Value = Self;

    fn put(&mut self, value: Self) {
        *self = value;
    }

    fn shown(&self) -> String {
        "none".to_owned()
    }
}

impl Field for Vec<String> {
    type Value = Vec<String>;

    fn put(&mut self, value: Vec<String>) {
        *self = value;
    }

    fn shown(&self) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        self.join(",")
    }
}
