//! Special registers.
//!
//! Why parameters: Db2 gives one value of the clock to a whole statement, and values of a session
//! belong to whoever runs it. Not here: their values.

use crate::types::Type;

/// A special register, or a value that only the run time has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Register {
    CurrentDate,
    CurrentTime,
    CurrentTimestamp,
    CurrentTimeZone,
    CurrentSqlId,
    CurrentServer,
    CurrentSchema,
    CurrentPath,
    CurrentPackageSet,
    CurrentPackagePath,
    CurrentDegree,
    CurrentRules,
    CurrentMember,
    CurrentLocale,
    CurrentPrecision,
    CurrentApplicationEncoding,
    CurrentOptimizationHint,
    CurrentQueryAcceleration,
    CurrentLockTimeout,
    User,
    SessionTimeZone,
    ClientAccounting,
    ClientApplicationName,
    ClientUserId,
    ClientWorkstation,
    /// IDENTITY_VAL_LOCAL(): the last number this session's INSERT made.
    IdentityValLocal,
}

struct Row {
    register: Register,
    words: &'static [&'static str],
    kind: Type,
    /// A statement SET may change it.
    settable: bool,
}

const fn row(
    register: Register,
    words: &'static [&'static str],
    kind: Type,
    settable: bool,
) -> Row {
    Row {
        register,
        words,
        kind,
        settable,
    }
}

/// Longest names first, so that CURRENT TIMESTAMP is not CURRENT TIME.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(Register::CurrentApplicationEncoding, &["CURRENT", "APPLICATION", "ENCODING", "SCHEME"], Type::Char(8), true),
    row(Register::CurrentQueryAcceleration, &["CURRENT", "QUERY", "ACCELERATION"], Type::VarChar(255), true),
    row(Register::CurrentOptimizationHint, &["CURRENT", "OPTIMIZATION", "HINT"], Type::VarChar(128), true),
    row(Register::CurrentLockTimeout, &["CURRENT", "LOCK", "TIMEOUT"], Type::Integer, true),
    row(Register::CurrentPackagePath, &["CURRENT", "PACKAGE", "PATH"], Type::VarChar(4096), true),
    row(Register::CurrentLocale, &["CURRENT", "LOCALE", "LC_CTYPE"], Type::Char(50), true),
    row(Register::CurrentLocale, &["CURRENT", "LC_CTYPE"], Type::Char(50), true),
    row(Register::CurrentTimeZone, &["CURRENT", "TIME", "ZONE"], Type::decimal(6, 0), false),
    row(Register::CurrentTimeZone, &["CURRENT", "TIMEZONE"], Type::decimal(6, 0), false),
    row(Register::SessionTimeZone, &["SESSION", "TIME", "ZONE"], Type::VarChar(128), true),
    row(Register::SessionTimeZone, &["SESSION", "TIMEZONE"], Type::VarChar(128), true),
    row(Register::CurrentTimestamp, &["CURRENT", "TIMESTAMP"], Type::Timestamp(6), false),
    row(Register::CurrentTimestamp, &["CURRENT_TIMESTAMP"], Type::Timestamp(6), false),
    row(Register::CurrentDate, &["CURRENT", "DATE"], Type::Date, false),
    row(Register::CurrentDate, &["CURRENT_DATE"], Type::Date, false),
    row(Register::CurrentTime, &["CURRENT", "TIME"], Type::Time, false),
    row(Register::CurrentTime, &["CURRENT_TIME"], Type::Time, false),
    row(Register::CurrentSqlId, &["CURRENT", "SQLID"], Type::VarChar(128), true),
    row(Register::CurrentServer, &["CURRENT", "SERVER"], Type::Char(16), false),
    row(Register::CurrentSchema, &["CURRENT", "SCHEMA"], Type::VarChar(128), true),
    row(Register::CurrentSchema, &["CURRENT_SCHEMA"], Type::VarChar(128), true),
    row(Register::CurrentPath, &["CURRENT", "PATH"], Type::VarChar(2048), true),
    row(Register::CurrentPath, &["CURRENT_PATH"], Type::VarChar(2048), true),
    row(Register::CurrentPackageSet, &["CURRENT", "PACKAGESET"], Type::VarChar(128), true),
    row(Register::CurrentDegree, &["CURRENT", "DEGREE"], Type::Char(3), true),
    row(Register::CurrentRules, &["CURRENT", "RULES"], Type::Char(3), true),
    row(Register::CurrentMember, &["CURRENT", "MEMBER"], Type::Char(8), false),
    row(Register::CurrentPrecision, &["CURRENT", "PRECISION"], Type::Char(5), true),
    row(Register::ClientAccounting, &["CURRENT", "CLIENT_ACCTNG"], Type::VarChar(255), false),
    row(Register::ClientApplicationName, &["CURRENT", "CLIENT_APPLNAME"], Type::VarChar(255), false),
    row(Register::ClientUserId, &["CURRENT", "CLIENT_USERID"], Type::VarChar(255), false),
    row(Register::ClientWorkstation, &["CURRENT", "CLIENT_WRKSTNNAME"], Type::VarChar(255), false),
    row(Register::User, &["SESSION_USER"], Type::VarChar(128), false),
    row(Register::User, &["USER"], Type::VarChar(128), false),
];

impl Register {
    /// Type of its value.
    pub fn kind(self) -> Type {
        if self == Self::IdentityValLocal {
            return Type::decimal(31, 0);
        }
        let row = ROWS.iter().find(|row| row.register == self);
        row.map_or(Type::Unknown, |row| row.kind)
    }

    /// Its name as Db2 writes it.
    pub fn name(self) -> String {
        let row = ROWS.iter().find(|row| row.register == self);
        row.map_or("IDENTITY_VAL_LOCAL()".to_owned(), |row| row.words.join(" "))
    }

    /// Whether SET may change it.
    pub fn is_settable(self) -> bool {
        ROWS.iter().any(|row| row.register == self && row.settable)
    }

    /// The register with this name, in any case of its letters.
    pub fn from_name(name: &str) -> Option<Self> {
        let words: Vec<String> = name.split_whitespace().map(str::to_uppercase).collect();
        let row = ROWS.iter().find(|row| row.words.iter().eq(words.iter()))?;
        Some(row.register)
    }

    /// The register at the front of some words, and how many words it has.
    pub(crate) fn at_front(word: impl Fn(usize) -> Option<String>) -> Option<(Self, usize)> {
        let matches = |row: &&Row| {
            let mut words = row.words.iter().enumerate();
            words.all(|(n, w)| word(n).as_deref() == Some(*w))
        };
        let row = ROWS.iter().find(matches)?;
        Some((row.register, row.words.len()))
    }
}
