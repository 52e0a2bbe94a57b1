//! `transom dump`: the dumps of a region, as a list, and one of them with its source.
//!
//! Why a command, as dumps are texts: nobody has to know where they lie or how they are called, and
//! the line of the program that failed stands beside what it left. Not here: what a dump has (the
//! worker writes it).

use crate::names;
use crate::print::Print;
use clap::Args;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use transom_messages::mn;

/// Where a region puts dumps, in its system directory.
const FOLDER: &str = ".transom/dumps";
/// Bytes of a dump that are read for the list.
const HEAD_BYTES: u64 = 4 << 10;
/// Longest dump, and longest source, that is shown.
const TEXT_BYTES_MAX: u64 = 32 << 20;
/// Lines of source around the one that is meant.
const LINES_AROUND: usize = 4;
/// Folders in folders of sources.
const DEPTH_MAX: usize = 8;

/// `transom dump`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom dump my-system
  transom dump my-system --code ASRA
  transom dump my-system PAY1_ASRA-0000042-1")]
pub struct DumpArgs {
    /// The system directory, or a folder with dumps
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// A dump of the list: shows it whole, with the source around the line that failed and storage
    /// by name
    name: Option<String>,
    /// Dumps with this dump code
    #[arg(long, value_name = "CODE", conflicts_with = "name")]
    code: Option<String>,
    /// Dumps of this transaction
    #[arg(long, value_name = "TRANSID", conflicts_with = "name")]
    transaction: Option<String>,
}

/// Carries it out.
///
/// # Errors
/// What went wrong, for the user.
pub fn dump(args: &DumpArgs, print: Print) -> Result<(), String> {
    let own = args.dir.join(FOLDER);
    let mut found = dumps(&own)?;
    if found.is_empty() {
        found = dumps(&args.dir)?;
    }
    let Some(name) = &args.name else {
        return list(args, &found, print);
    };
    let is_it = |path: &&PathBuf| name_of(path) == name.strip_suffix(".txt").unwrap_or(name);
    let path = found.iter().find(is_it);
    let path = path.ok_or_else(|| mn::no_dump(name).to_string())?;
    let text = read(path, TEXT_BYTES_MAX)?;
    print(&text);
    if let Some((program, line)) = place(&text) {
        print(&source(&args.dir, &program, line));
    }
    if let Ok(taken) = path.metadata().and_then(|about| about.modified()) {
        print(&names::by_name(&args.dir, &text, taken));
    }
    Ok(())
}

fn list(args: &DumpArgs, found: &[PathBuf], print: Print) -> Result<(), String> {
    let same = |wanted: &Option<String>, has: &str| {
        wanted
            .as_ref()
            .is_none_or(|wanted| wanted.trim().eq_ignore_ascii_case(has))
    };
    let mut shown = 0;
    for path in found {
        let head = Head::of(&read(path, HEAD_BYTES)?);
        if !same(&args.code, &head.code) || !same(&args.transaction, &head.transaction) {
            continue;
        }
        if shown == 0 {
            print(&format!(
                "{:23} {:4} {:8} {:>7} {:8} {:32} WHY\n",
                "TIME", "TRAN", "CODE", "TASK", "USER", "NAME"
            ));
        }
        shown += 1;
        print(&format!(
            "{:23} {:4} {:8} {:>7} {:8} {:32} {}\n",
            head.time,
            head.transaction,
            head.code,
            head.task,
            head.user,
            name_of(path),
            head.why
        ));
    }
    match shown {
        0 => Err(mn::no_dumps(args.dir.join(FOLDER).display()).to_string()),
        _ => Ok(()),
    }
}

/// What the first lines of a dump say.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    code: String,
    time: String,
    task: String,
    transaction: String,
    user: String,
    why: String,
}

impl Head {
    fn of(text: &str) -> Self {
        let mut head = Self::default();
        let word_behind = |line: &str, word: &str| {
            let (_, rest) = line.split_once(word)?;
            rest.split_whitespace().next().map(str::to_owned)
        };
        for line in text.lines().take(8) {
            if let Some(code) = line.strip_prefix("TRANSACTION DUMP  code ") {
                head.code = code.trim().to_owned();
            } else if let Some(code) = word_behind(line, "System dump ") {
                head.code = code;
                head.why = line.to_owned();
            } else if line.starts_with("Region ") {
                let time = line.rsplit_once(")  ").map_or("", |(_, time)| time);
                head.time = time.trim().to_owned();
            } else if line.starts_with("Task ") {
                head.task = word_behind(line, "Task ").unwrap_or_default();
                head.transaction = word_behind(line, "transaction ").unwrap_or_default();
                head.user = word_behind(line, "  user ").unwrap_or_default();
            } else if line.starts_with("Abend ") || line.starts_with("Requested by ") {
                head.why = line.to_owned();
            }
        }
        head
    }
}

/// Files of a folder that are dumps, oldest first; a folder that is not there has none.
fn dumps(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |why: std::io::Error| mn::not_readable(folder.display(), &why).to_string();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(failed(why)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let is_text = path.extension().is_some_and(|ending| ending == "txt");
        if is_text && let Ok(at) = path.metadata().and_then(|about| about.modified()) {
            found.push((at, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn name_of(path: &Path) -> &str {
    path.file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}

fn read(path: &Path, most: u64) -> Result<String, String> {
    let failed = |why: std::io::Error| mn::not_readable(path.display(), &why).to_string();
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Program and line of the check, else of the last command.
fn place(text: &str) -> Option<(String, usize)> {
    let number = |rest: &str| rest.split_whitespace().next()?.parse::<usize>().ok();
    let check = text
        .lines()
        .find(|line| line.starts_with("PSW "))
        .and_then(|line| {
            let (_, rest) = line.split_once("  program ")?;
            let (_, at) = line.rsplit_once("  line ")?;
            Some((rest.split_whitespace().next()?.to_owned(), number(at)?))
        });
    check.or_else(|| {
        let (_, behind) = text.split_once("\nLAST COMMANDS")?;
        let commands = behind
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("  "));
        let (front, at) = commands.last()?.split_once(" line ")?;
        Some((front.split_whitespace().nth(1)?.to_owned(), number(at)?))
    })
}

/// The lines around one of a program.
fn source(dir: &Path, program: &str, line: usize) -> String {
    let mut text = format!("\nSOURCE of {program}, line {line}\n");
    let path = source_of(&dir.join("cobol"), program, 0);
    let Some(source) = path.and_then(|path| read(&path, TEXT_BYTES_MAX).ok()) else {
        text += "  its source is not in cobol/\n";
        return text;
    };
    let first = line.saturating_sub(LINES_AROUND).max(1);
    let lines = (1..)
        .zip(source.lines())
        .skip(first - 1)
        .take(2 * LINES_AROUND + 1);
    for (number, shown) in lines {
        let mark = if number == line { '>' } else { ' ' };
        let _ = writeln!(text, "{mark} {number:6}  {}", shown.trim_end());
    }
    text
}

/// The file of a program in a folder of sources or a folder in it.
fn source_of(folder: &Path, program: &str, depth: usize) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    let is_it = |path: &&PathBuf| path.is_file() && name_of(path).eq_ignore_ascii_case(program);
    let here = paths.iter().find(is_it).cloned();
    let mut folders = paths
        .iter()
        .filter(|path| path.is_dir() && depth < DEPTH_MAX);
    here.or_else(|| folders.find_map(|folder| source_of(folder, program, depth + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "\
TRANSACTION DUMP  code ASRA
Region BANK (TXM1)  2026-11-23 05:10:11.123
Task 42  transaction PAY1  user SMITH  first program PAYROLL  priority 1
Abend ASRA: data exception in PAYROLL

PROGRAM LEVELS, highest first
  0: PAYROLL   invoked by           COMMAREA 0 bytes  channel none

LAST COMMANDS, newest last, of 2; the resource is EIBRSRCE
        1 PAYROLL  line     12  ASKTIME                           NORMAL 0
        2 PAYROLL  line     19  READ                     ACCOUNTS  NOTFND 80

EIB  85 bytes
";

    #[test]
    fn a_dump_is_listed_by_its_first_lines() {
        let head = Head::of(DUMP);
        let expected = [
            ("ASRA", &head.code),
            ("2026-11-23 05:10:11.123", &head.time),
            ("42", &head.task),
            ("PAY1", &head.transaction),
            ("SMITH", &head.user),
            ("Abend ASRA: data exception in PAYROLL", &head.why),
        ];
        expected
            .iter()
            .for_each(|(wanted, found)| assert_eq!(wanted, found));
        assert_eq!(Head::of("no dump\n\u{0}"), Head::default());
    }

    #[test]
    fn the_place_is_that_of_the_check_or_of_the_last_command() {
        assert_eq!(place(DUMP), Some(("PAYROLL".to_owned(), 19)));
        let psw = "PSW 078D0000 80601234  program TAX  offset X'1'  loaded at X'2'  line 77\n";
        assert_eq!(
            place(&(psw.to_owned() + DUMP)),
            Some(("TAX".to_owned(), 77))
        );
        assert_eq!(place("Task 1"), None);
    }

    #[test]
    fn the_source_is_shown_around_the_line() {
        let dir = std::env::temp_dir().join(format!("transom-dump-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("cobol/pay")).unwrap();
        let lines: Vec<String> = (1..=30).map(|n| format!("       LINE-{n}.")).collect();
        std::fs::write(dir.join("cobol/pay/payroll.cbl"), lines.join("\n")).unwrap();
        let shown = source(&dir, "PAYROLL", 19);
        assert!(shown.contains(">     19         LINE-19."), "{shown}");
        assert_eq!(shown.lines().count(), 2 + 9);
        assert!(source(&dir, "OTHER", 1).contains("not in cobol/"));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
