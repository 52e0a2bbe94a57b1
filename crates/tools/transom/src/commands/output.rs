//! What the commands print: findings and progress, lines of it in pipes, plain with NO_COLOR.

use crate::system::Finding;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use transom_log::say;
use transom_messages::{Few, Line};
use transom_utilities::{Progress, SysPrint};

/// Prints findings to standard error, errors last so that they are seen; answers the number of
/// errors.
pub(crate) fn findings(list: &[Finding]) -> usize {
    let errors = list.iter().filter(|f| f.is_error).count();
    for finding in list
        .iter()
        .filter(|f| !f.is_error)
        .chain(list.iter().filter(|f| f.is_error))
    {
        say(paint(&finding.text, finding.is_error));
    }
    errors
}

/// Prints what was found, of each message the first few and how many more there are: `check`
/// prints all of them.
pub(crate) fn few_findings(list: Vec<Finding>) {
    let lines = list.into_iter().map(|found| Line::heard(found.text));
    Few::of(lines).into_iter().for_each(say);
}

/// Prints to standard output. A closed pipe ends the output, nothing else.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A bar over a known number of steps; hidden where standard error is no terminal.
pub(crate) fn bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// SYSPRINT of utilities: lines go to standard output, progress is a bar.
#[derive(Default)]
pub(crate) struct Terminal {
    bar: Option<ProgressBar>,
}

impl SysPrint for Terminal {
    fn line(&mut self, text: &str) {
        print(&format!("{text}\n"));
    }

    fn progress(&mut self, progress: Option<Progress>) {
        let Some(Progress { records, bytes }) = progress else {
            if let Some(bar) = self.bar.take() {
                bar.finish_and_clear();
            }
            return;
        };
        // Without files nobody knows how many there are.
        let (done, all) = bytes.unwrap_or((records, records));
        let bar = self.bar.get_or_insert_with(|| bar(0));
        bar.set_length(all);
        bar.set_position(done);
        bar.set_message(format!("{records} records"));
    }
}

fn paint(text: &str, is_error: bool) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    if plain || !is_error || !std::io::stderr().is_terminal() {
        return text.to_owned();
    }
    format!("\x1b[31m{text}\x1b[0m")
}
