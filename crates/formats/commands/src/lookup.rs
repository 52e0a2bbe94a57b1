//! Finding rows of the table.

use crate::spec::{ArgKind, Command, Constant, DataKind, Flow, OptionSpec, Status};
use crate::{CommandId, OptionId};

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// RESP, RESP2 and NOHANDLE: every command has them.
static COMMON: &[OptionSpec] = &[
    OptionSpec {
        id: opt::RESP,
        keyword: "RESP",
        argument: ArgKind::DataArea {
            kind: DataKind::Fullword,
            flow: Flow::Out,
        },
        argument_optional: false,
        required: false,
        lengths: &[],
        status: Status::Works,
    },
    OptionSpec {
        id: opt::RESP2,
        keyword: "RESP2",
        argument: ArgKind::DataArea {
            kind: DataKind::Fullword,
            flow: Flow::Out,
        },
        argument_optional: false,
        required: false,
        lengths: &[],
        status: Status::Works,
    },
    OptionSpec {
        id: opt::NOHANDLE,
        keyword: "NOHANDLE",
        argument: ArgKind::None,
        argument_optional: false,
        required: false,
        lengths: &[],
        status: Status::Works,
    },
];

/// All commands, group by group.
pub fn all() -> &'static [Command] {
    COMMANDS
}

/// The command of this number.
pub fn command(id: CommandId) -> Option<&'static Command> {
    COMMANDS.get(usize::from(id.0).checked_sub(1)?)
}

/// Options every command has.
pub fn common_options() -> &'static [OptionSpec] {
    COMMON
}

impl Command {
    /// The option of this keyword (upper case), synonyms and the common options included.
    pub fn option(&self, keyword: &str) -> Option<&'static OptionSpec> {
        let known = self.options.iter().find(|o| o.keyword == keyword);
        known.or_else(|| common_options().iter().find(|o| o.keyword == keyword))
    }

    /// The option of this number, by its main keyword.
    pub fn option_by_id(&self, id: OptionId) -> Option<&'static OptionSpec> {
        let known = self.options.iter().find(|o| o.id == id);
        known.or_else(|| common_options().iter().find(|o| o.id == id))
    }
}

/// The keyword of this number; empty for a number that is none.
pub fn option_name(id: OptionId) -> &'static str {
    let at = usize::from(id.0).checked_sub(1);
    at.and_then(|at| OPTION_NAMES.get(at))
        .copied()
        .unwrap_or("")
}

/// The number of a main keyword (upper case). Synonyms depend on the command: see
/// [`Command::option`].
pub fn option_by_name(keyword: &str) -> Option<OptionId> {
    let at = OPTION_NAMES.binary_search(&keyword).ok()?;
    Some(OptionId(u16::try_from(at + 1).ok()?))
}

/// The command of these keywords: all keywords between EXEC CICS and END-EXEC in source order,
/// upper case, arguments left out. `["SEND", "FROM", "MAP", "MAPSET"]` is SEND MAP, since options
/// may come in any order.
///
/// The first word must be the verb. Among the commands whose words are all present the one with
/// most words wins; among equals the one whose words come first, so that
/// `INQUIRE TASK(n) PROGRAM(p)` is INQUIRE TASK.
pub fn by_words(words: &[&str]) -> Option<&'static Command> {
    let mut best: Option<(Rank, &'static Command)> = None;
    for command in COMMANDS {
        for form in std::iter::once(&command.words).chain(command.also) {
            let Some(rank) = rank(form, words) else {
                continue;
            };
            if best.as_ref().is_none_or(|(top, _)| rank.beats(top)) {
                best = Some((rank, command));
            }
        }
    }
    best.map(|(_, command)| command)
}

/// How well a form fits: positions of its words in the source.
struct Rank(Vec<usize>);

impl Rank {
    fn beats(&self, other: &Self) -> bool {
        match self.0.len().cmp(&other.0.len()) {
            std::cmp::Ordering::Equal => self.0 < other.0,
            order => order.is_gt(),
        }
    }
}

fn rank(form: &[&str], words: &[&str]) -> Option<Rank> {
    let (verb, rest) = form.split_first()?;
    if words.first() != Some(verb) {
        return None;
    }
    let mut at = Vec::with_capacity(rest.len());
    for word in rest {
        at.push(words.iter().skip(1).position(|w| w == word)?);
    }
    Some(Rank(at))
}
