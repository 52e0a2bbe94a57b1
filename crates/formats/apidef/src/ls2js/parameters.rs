//! Parameter lines of BAQLS2JS.
//!
//! One `KEY=value` a line; a line that ends in `\` goes on in the next; empty lines and lines that
//! begin with `#` or `*` are comments. As in JCL in-stream data, lines may be indented.

use super::keys_table::{KEYS, WITHOUT_EFFECT};
use crate::problem::Result;
use transom_copybook::shape::{CharVarying, InitialByte, NullPolicy};
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::{ContainerName, ProgramName, TransId, nearest};

/// Mapping level, in tenths: 12 is 1.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(pub u8);

impl Level {
    /// SIGN clauses and COMP-1/COMP-2.
    pub const SIGNS_AND_FLOATS: Level = Level(12);
    /// Trailing blanks are dropped unless CHAR-VARYING says otherwise.
    pub const COLLAPSE: Level = Level(21);
    /// OCCURS DEPENDING ON, CHAR-OCCURS.
    pub const VARIABLE_TABLES: Level = Level(40);
    /// Tables of elementary items are arrays of values; TRUNCATE-NULL-ARRAYS.
    pub const SIMPLE_ARRAYS: Level = Level(41);
    /// Level of a run that names none: the highest.
    pub const DEFAULT: Level = Level(43);
    const ALL: &'static [&'static str] = &[
        "1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "3.0", "4.0", "4.1", "4.2", "4.3",
    ];

    fn parse(text: &str) -> Option<Level> {
        if !Self::ALL.contains(&text) {
            return None;
        }
        text.replace('.', "").parse().ok().map(Level)
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// CHAR-VARYING.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharVaryingOption {
    /// The end of a text is marked in this way.
    Text(CharVarying),
    /// Bytes, base 64 in JSON.
    Binary,
}

/// PGMINT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramInterface {
    /// A COMMAREA.
    Commarea,
    /// A channel with one container.
    Channel(ContainerName),
}

/// The parameters of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// Lines as given, continuation undone: the bind file keeps them.
    pub lines: Vec<(String, String)>,
    /// PGMNAME.
    pub program: ProgramName,
    /// PGMINT and CONTID.
    pub interface: ProgramInterface,
    /// PDSLIB.
    pub library: Option<String>,
    /// REQMEM.
    pub request_member: Option<String>,
    /// RESPMEM.
    pub response_member: Option<String>,
    /// TRANSACTION.
    pub transid: Option<TransId>,
    /// URI.
    pub uri: Option<String>,
    /// MAPPING-LEVEL.
    pub level: Level,
    /// CHAR-VARYING.
    pub char_varying: CharVaryingOption,
    /// CHAR-OCCURS=STRING: a table of single characters is one text.
    pub char_occurs_string: bool,
    /// CCSID.
    pub ccsid: u16,
    /// DATA-TRUNCATION=ENABLED.
    pub data_truncation: bool,
    /// DATA-SCREENING=ENABLED.
    pub data_screening: bool,
    /// TRUNCATE-NULL-ARRAYS and TRUNCATE-NULL-ARRAY-VALUES.
    pub truncate_null_arrays: Option<NullPolicy>,
    /// WSBIND: file to write.
    pub bind_file: Option<String>,
    /// JSON-SCHEMA-REQUEST: file to write.
    pub request_schema_file: Option<String>,
    /// JSON-SCHEMA-RESPONSE: file to write.
    pub response_schema_file: Option<String>,
    /// SERVICE-ARCHIVE: file to write.
    pub service_archive: Option<String>,
    /// SERVICE-NAME.
    pub service_name: Option<String>,
    /// LOGFILE: file to write.
    pub log_file: Option<String>,
    /// What has no effect.
    pub notices: Vec<Problem>,
}

/// Longest text of parameters, in bytes.
const PARAMETERS_BYTES_MAX: usize = 64 * 1024;

impl Parameters {
    /// Parses the lines. `file` is only for messages.
    ///
    /// # Errors
    /// TXMAD0030E a key nobody knows or given twice, TXMAD0031E a value that makes no sense,
    /// TXMAD0032E a key that is missing, each with the line.
    pub fn parse(file: &str, text: &str) -> Result<Parameters> {
        if text.len() > PARAMETERS_BYTES_MAX {
            return Err(Problem::new(
                messages::ad::limit_passed(format_args!(
                    "more than {PARAMETERS_BYTES_MAX} bytes of parameters"
                )),
                file,
            ));
        }
        let lines = Lines::read(file, text)?;
        lines.interpret()
    }
}

struct Lines<'a> {
    file: &'a str,
    /// Key, value, line.
    all: Vec<(String, String, u32)>,
}

impl Lines<'_> {
    fn read<'a>(file: &'a str, text: &str) -> Result<Lines<'a>> {
        let mut all: Vec<(String, String, u32)> = Vec::new();
        let mut joined = String::new();
        let mut start = 0;
        for (number, line) in (1u32..).zip(text.lines()) {
            if joined.is_empty() {
                start = number;
                let bare = line.trim();
                if bare.is_empty() || bare.starts_with(['#', '*']) {
                    continue;
                }
            }
            joined.push_str(line.trim());
            if joined.ends_with('\\') {
                joined.pop();
                continue;
            }
            add(file, &mut all, &std::mem::take(&mut joined), start)?;
        }
        if !joined.is_empty() {
            add(file, &mut all, &joined, start)?;
        }
        Ok(Lines { file, all })
    }

    fn entry(&self, key: &str) -> Option<(&str, u32)> {
        self.all
            .iter()
            .find(|(k, _, _)| k == key)
            .map(|(_, v, l)| (v.as_str(), *l))
            .filter(|(v, _)| !v.is_empty())
    }

    fn text(&self, key: &str) -> Option<String> {
        self.entry(key).map(|(v, _)| v.to_owned())
    }

    fn bad(&self, key: &str, why: impl std::fmt::Display) -> Problem {
        let line = self.entry(key).map_or(0, |(_, l)| l);
        Problem::new(messages::ad::parameter_value(key, &why), self.file)
            .at(line, u32::from(line != 0))
    }

    fn name<T: std::str::FromStr<Err: std::fmt::Display>>(&self, key: &str) -> Result<Option<T>> {
        self.text(key)
            .map(|v| {
                v.parse()
                    .map_err(|e| self.bad(key, format!("is \"{v}\": {e}")))
            })
            .transpose()
    }

    fn word<T: Copy>(&self, key: &str, words: &[(&str, T)], default: T) -> Result<T> {
        let Some((value, _)) = self.entry(key) else {
            return Ok(default);
        };
        words
            .iter()
            .find(|(w, _)| w.eq_ignore_ascii_case(value))
            .map(|(_, t)| *t)
            .ok_or_else(|| {
                let known: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
                self.bad(
                    key,
                    format!("is \"{value}\"; it must be one of {}", known.join(", ")),
                )
            })
    }

    fn interpret(&self) -> Result<Parameters> {
        self.word("LANG", &[("COBOL", ())], ())?;
        let level = self.level()?;
        let program = self
            .name("PGMNAME")?
            .ok_or_else(|| Problem::new(messages::ad::parameter_missing("PGMNAME"), self.file))?;
        let params = Parameters {
            lines: self
                .all
                .iter()
                .map(|(k, v, _)| (k.clone(), v.clone()))
                .collect(),
            program,
            interface: self.interface()?,
            library: self.text("PDSLIB"),
            request_member: self.text("REQMEM"),
            response_member: self.text("RESPMEM"),
            transid: self.name("TRANSACTION")?,
            uri: self.text("URI"),
            level,
            char_varying: self.char_varying(level)?,
            char_occurs_string: self.word(
                "CHAR-OCCURS",
                &[("STRING", true), ("ARRAY", false)],
                false,
            )?,
            ccsid: match self.entry("CCSID") {
                None => 37,
                Some((text, _)) => crate::sar::ccsid(text).ok_or_else(|| {
                    self.bad("CCSID", format!("is \"{text}\", which is no code page"))
                })?,
            },
            data_truncation: self.word("DATA-TRUNCATION", SWITCH, false)?,
            data_screening: self.word("DATA-SCREENING", SWITCH, true)?,
            truncate_null_arrays: self.truncate(level)?,
            bind_file: self.text("WSBIND"),
            request_schema_file: self.schema_file("JSON-SCHEMA-REQUEST", "_request")?,
            response_schema_file: self.schema_file("JSON-SCHEMA-RESPONSE", "_response")?,
            service_archive: self.text("SERVICE-ARCHIVE"),
            service_name: self.text("SERVICE-NAME"),
            log_file: self.text("LOGFILE"),
            notices: self.notices(),
        };
        if params.request_member.is_none() && params.response_member.is_none() {
            return Err(Problem::new(messages::ad::members_missing(), self.file));
        }
        if params.char_occurs_string && level < Level::VARIABLE_TABLES {
            return Err(self.bad("CHAR-OCCURS", "needs MAPPING-LEVEL=4.0 or higher"));
        }
        Ok(params)
    }

    fn level(&self) -> Result<Level> {
        let Some((text, _)) = self.entry("MAPPING-LEVEL") else {
            return Ok(Level::DEFAULT);
        };
        let known = Level::ALL.join(", ");
        Level::parse(text).ok_or_else(|| {
            self.bad(
                "MAPPING-LEVEL",
                format!("is \"{text}\"; it must be one of {known}"),
            )
        })
    }

    fn interface(&self) -> Result<ProgramInterface> {
        if !self.word("PGMINT", &[("COMMAREA", false), ("CHANNEL", true)], false)? {
            return Ok(ProgramInterface::Commarea);
        }
        self.name("CONTID")?
            .map(ProgramInterface::Channel)
            .ok_or_else(|| Problem::new(messages::ad::container_missing(), self.file))
    }

    fn char_varying(&self, level: Level) -> Result<CharVaryingOption> {
        let default = if level >= Level::COLLAPSE {
            CharVarying::Collapse
        } else {
            CharVarying::No
        };
        self.word(
            "CHAR-VARYING",
            &[
                ("NO", CharVaryingOption::Text(CharVarying::No)),
                ("NULL", CharVaryingOption::Text(CharVarying::Null)),
                ("COLLAPSE", CharVaryingOption::Text(CharVarying::Collapse)),
                ("BINARY", CharVaryingOption::Binary),
            ],
            CharVaryingOption::Text(default),
        )
    }

    fn truncate(&self, level: Level) -> Result<Option<NullPolicy>> {
        let enabled = self.word("TRUNCATE-NULL-ARRAYS", SWITCH, false)?;
        let values = self.entry("TRUNCATE-NULL-ARRAY-VALUES");
        if !enabled {
            return match values {
                None => Ok(None),
                Some(_) => Err(self.bad(
                    "TRUNCATE-NULL-ARRAY-VALUES",
                    "needs TRUNCATE-NULL-ARRAYS=ENABLED",
                )),
            };
        }
        if level < Level::SIMPLE_ARRAYS {
            return Err(self.bad("TRUNCATE-NULL-ARRAYS", "needs MAPPING-LEVEL=4.1 or higher"));
        }
        let Some((text, _)) = values else {
            return Ok(Some(NullPolicy {
                bytes: vec![InitialByte::LowValue],
            }));
        };
        let byte = |word: &str| match word.to_ascii_uppercase().as_str() {
            "NULL" | "NULLS" | "LOW-VALUE" => Ok(InitialByte::LowValue),
            "SPACE" | "SPACES" => Ok(InitialByte::Blank),
            "ZERO" | "ZEROS" => Ok(InitialByte::Zero),
            hex => u8::from_str_radix(hex.trim_start_matches("0X"), 16)
                .map(InitialByte::Byte)
                .map_err(|_| {
                    self.bad(
                        "TRUNCATE-NULL-ARRAY-VALUES",
                        format!(
                            "has \"{word}\"; known are NULL, SPACE, ZERO and bytes such as 0x40"
                        ),
                    )
                }),
        };
        let words = text
            .trim_matches(['(', ')'])
            .split(',')
            .map(str::trim)
            .filter(|w| !w.is_empty());
        Ok(Some(NullPolicy {
            bytes: words.map(byte).collect::<Result<_>>()?,
        }))
    }

    /// Data transformation requires the suffix before the file's ending.
    fn schema_file(&self, key: &str, suffix: &str) -> Result<Option<String>> {
        let Some(file) = self.text(key) else {
            return Ok(None);
        };
        let name = file.rsplit('/').next().unwrap_or(&file);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if !stem.ends_with(suffix) {
            return Err(self.bad(
                key,
                format!("is \"{file}\"; the name must end in {suffix}, as in {stem}{suffix}.json"),
            ));
        }
        Ok(Some(file))
    }

    fn notices(&self) -> Vec<Problem> {
        self.all
            .iter()
            .filter(|(k, _, _)| WITHOUT_EFFECT.contains(&k.as_str()))
            .map(|(k, _, line)| {
                Problem::new(messages::ad::parameter_without_effect(k), self.file).at(*line, 1)
            })
            .collect()
    }
}

const SWITCH: &[(&str, bool)] = &[("ENABLED", true), ("DISABLED", false)];

fn add(file: &str, all: &mut Vec<(String, String, u32)>, text: &str, line: u32) -> Result<()> {
    let at_line = |message: messages::Message| Problem::new(message, file).at(line, 1);
    let bad = |text: String| at_line(messages::ad::parameter_line(text));
    let Some((key, value)) = text.split_once('=') else {
        return Err(bad(format!("\"{text}\" is not of the form KEY=value")));
    };
    let key = key.trim().to_ascii_uppercase();
    if !KEYS.contains(&key.as_str()) {
        let hint = nearest(&key, KEYS.iter().copied())
            .map(|n| format!("; did you mean {n}?"))
            .unwrap_or_default();
        return Err(at_line(messages::ad::parameter_unknown(key, hint)));
    }
    if all.iter().any(|(k, _, _)| *k == key) {
        return Err(bad(format!("{key} comes twice")));
    }
    all.push((key, value.trim().to_owned(), line));
    Ok(())
}
