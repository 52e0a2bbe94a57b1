//! Turns `table/*.txt`, and the commands that follow from the files of resource kinds, into Rust
//! tables. The format is described in `table/README.md`; a mistake in a table file stops the build
//! with its file and line.

#[path = "build_argument.rs"]
mod argument;
#[path = "build_cvda.rs"]
mod cvda;

use argument::{argument_kind, constant_value};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// One command while it is read.
#[derive(Default)]
struct Command {
    words: Vec<String>,
    name: Option<String>,
    also: Vec<Vec<String>>,
    fn_code: Option<String>,
    fn_when: Vec<(String, String)>,
    group: String,
    options: Vec<Opt>,
    raises: Vec<String>,
    needs: Vec<Vec<String>>,
    status: String,
    open: bool,
    at: String,
}

/// One option of a command: keyword and the option it is another spelling of.
struct Opt {
    keyword: String,
    canonical: String,
    argument: String,
    optional_argument: bool,
    required: bool,
    lengths: Vec<String>,
    status: Option<String>,
    /// What `~constant=` answers.
    constant: Option<String>,
}

fn main() {
    let dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("table");
    println!("cargo::rerun-if-changed=table");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build_argument.rs");
    println!("cargo::rerun-if-changed=build_cvda.rs");
    let mut commands = Vec::new();
    for path in table_files(&dir) {
        match path.file_stem().and_then(|s| s.to_str()) {
            Some("cvda") => continue,
            _ => {
                let text = fs::read_to_string(&path).expect("a table file is readable");
                read_text(&path.display().to_string(), &text, &mut commands);
            }
        }
    }
    let kinds = transom_kinds::table();
    read_text("commands of kinds", &kinds.paragraphs(), &mut commands);
    sort(&mut commands);
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("table.rs"), generate(&commands)).expect("OUT_DIR is writable");
    let cvda = fs::read_to_string(dir.join("cvda.txt")).unwrap_or_default();
    fs::write(out.join("cvda.rs"), cvda::generate(&cvda, kinds.values()))
        .expect("OUT_DIR is writable");
}

/// Groups as they come first, commands of a group by name: some come from files of kinds.
fn sort(commands: &mut [Command]) {
    let mut groups: Vec<String> = Vec::new();
    for command in commands.iter() {
        if !groups.contains(&command.group) {
            groups.push(command.group.clone());
        }
    }
    let place = |command: &Command| groups.iter().position(|group| *group == command.group);
    commands.sort_by_cached_key(|command| (place(command), command.words.join(" ")));
}

fn table_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(dir)
        .expect("the table directory exists")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files
}

fn read_text(name: &str, text: &str, commands: &mut Vec<Command>) {
    let mut group = String::new();
    let mut group_open = false;
    for (number, line) in text.lines().enumerate() {
        let at = format!("{name}:{}", number + 1);
        let line = line.split('#').next().unwrap_or("").trim();
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match head {
            "" => {}
            "group" => group = rest.to_string(),
            "group-open" => group_open = true,
            "command" => commands.push(Command {
                words: words(rest),
                group: group.clone(),
                status: "invreq".into(),
                open: group_open,
                at,
                ..Command::default()
            }),
            _ => {
                let command = commands
                    .last_mut()
                    .unwrap_or_else(|| panic!("{at}: no command"));
                read_line(command, head, rest, line, &at);
            }
        }
    }
}

fn read_line(command: &mut Command, head: &str, rest: &str, line: &str, at: &str) {
    match head {
        "name" => command.name = Some(rest.to_string()),
        "also" => command.also.push(words(rest)),
        "fn" => command.fn_code = Some(hex2(rest, at)),
        "fn-with" => {
            let (option, code) = rest
                .split_once(' ')
                .unwrap_or_else(|| panic!("{at}: fn-with"));
            command
                .fn_when
                .push((option.to_string(), hex2(code.trim(), at)));
        }
        "status" => command.status = status(rest, at),
        "raises" => command.raises.extend(words(rest)),
        "needs" => command.needs.push(words(rest)),
        "open" => command.open = true,
        _ if head.starts_with(|c: char| c.is_ascii_uppercase()) => {
            for token in line.split_whitespace() {
                read_option(command, token, at);
            }
        }
        _ => panic!("{at}: unknown directive {head:?}"),
    }
}

/// `KEYWORD|SYNONYM(type:LENGTHS)?!~status=value`
fn read_option(command: &mut Command, token: &str, at: &str) {
    let (token, mark) = match token.split_once('~') {
        Some((token, mark)) => (token, Some(mark)),
        None => (token, None),
    };
    let (mark, value) = match mark.and_then(|mark| mark.split_once('=')) {
        Some((mark, value)) => (Some(mark), Some(value)),
        None => (mark, None),
    };
    let own_status = mark.map(|mark| status(mark, at));
    let required = token.ends_with('!');
    let token = token.trim_end_matches('!');
    let optional_argument = token.ends_with('?');
    let token = token.trim_end_matches('?');
    let (names, argument) = match token.split_once('(') {
        Some((names, argument)) => (
            names,
            argument
                .strip_suffix(')')
                .unwrap_or_else(|| panic!("{at}: no ) in {token}")),
        ),
        None => (token, ""),
    };
    let (argument, lengths) = argument.split_once(':').unwrap_or((argument, ""));
    let canonical = names.split('|').next().unwrap_or(names);
    let is_constant = mark == Some("constant");
    assert!(
        is_constant || value.is_none(),
        "{at}: only ~constant has a value"
    );
    let constant = value.map(|value| constant_value(argument, value, at));
    for keyword in names.split('|') {
        assert!(
            !command.options.iter().any(|o| o.keyword == keyword),
            "{at}: option {keyword} twice in {}",
            command.words.join(" ")
        );
        command.options.push(Opt {
            keyword: keyword.to_string(),
            canonical: canonical.to_string(),
            argument: argument_kind(argument, at),
            optional_argument,
            required: required && keyword == canonical,
            lengths: lengths
                .split(',')
                .filter(|l| !l.is_empty())
                .map(str::to_string)
                .collect(),
            status: own_status.clone(),
            constant: constant.clone().filter(|_| keyword == canonical),
        });
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

fn hex2(text: &str, at: &str) -> String {
    let value = u16::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{at}: bad code {text}"));
    format!("[{:#04x}, {:#04x}]", value >> 8, value & 0xff)
}

fn status(text: &str, at: &str) -> String {
    match text {
        "works" => "works",
        "constant" => "constant",
        "ignored" => "ignored",
        "invreq" => "invreq",
        _ => panic!("{at}: status {text:?}"),
    }
    .to_string()
}

/// Name of the constant: the words joined by `_` unless the table gives one.
fn constant(command: &Command) -> String {
    match &command.name {
        Some(name) => name.clone(),
        None => command.words.join("_"),
    }
}

fn generate(commands: &[Command]) -> String {
    let mut keywords = BTreeSet::from(["RESP", "RESP2", "NOHANDLE"]);
    for command in commands {
        for option in &command.options {
            keywords.insert(option.canonical.as_str());
        }
    }
    // Number 0 stays free: a default OptionId or CommandId names nothing.
    let number: BTreeMap<&str, usize> = keywords
        .iter()
        .enumerate()
        .map(|(i, k)| (*k, i + 1))
        .collect();
    let mut out = String::new();
    generate_constants(&mut out, commands, &number);
    writeln!(out, "const OPTION_NAMES: &[&str] = &[").unwrap();
    for keyword in &keywords {
        writeln!(out, "    {keyword:?},").unwrap();
    }
    out.push_str("];\n\nstatic COMMANDS: &[Command] = &[\n");
    for (i, command) in commands.iter().enumerate() {
        generate_command(&mut out, i + 1, command, &number);
    }
    out.push_str("];\n");
    out
}

fn generate_constants(out: &mut String, commands: &[Command], number: &BTreeMap<&str, usize>) {
    out.push_str("/// Numbers of all commands.\npub mod cmd {\n    use crate::CommandId;\n");
    let mut seen = BTreeMap::new();
    for (i, command) in commands.iter().enumerate() {
        let name = constant(command);
        if let Some(before) = seen.insert(name.clone(), &command.at) {
            panic!("{}: command {name} is also at {before}", command.at);
        }
        writeln!(
            out,
            "    /// {}\n    pub const {name}: CommandId = CommandId({});",
            command.words.join(" "),
            i + 1
        )
        .unwrap();
    }
    out.push_str(
        "}\n\n/// Numbers of all option keywords.\npub mod opt {\n    use crate::OptionId;\n",
    );
    for (keyword, n) in number {
        writeln!(
            out,
            "    /// {keyword}\n    pub const {keyword}: OptionId = OptionId({n});"
        )
        .unwrap();
    }
    out.push_str("}\n\n");
}

fn generate_command(
    out: &mut String,
    id: usize,
    command: &Command,
    number: &BTreeMap<&str, usize>,
) {
    let option = |keyword: &str| match number.get(keyword) {
        Some(n) => format!("OptionId({n})"),
        None => panic!("{}: {keyword} is no option", command.at),
    };
    let list = |names: &[String]| {
        names
            .iter()
            .map(|n| option(n))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let fn_code = command
        .fn_code
        .as_ref()
        .map_or("None".into(), |c| format!("Some({c})"));
    let fn_when: Vec<String> = command
        .fn_when
        .iter()
        .map(|(o, c)| format!("({}, {c})", option(o)))
        .collect();
    let needs: Vec<String> = command
        .needs
        .iter()
        .map(|n| format!("&[{}]", list(n)))
        .collect();
    let also: Vec<String> = command.also.iter().map(|w| format!("&{w:?}")).collect();
    writeln!(
        out,
        "    Command {{ id: CommandId({id}), name: {:?}, words: &{:?}, also: &[{}], \
         fn_code: {fn_code}, fn_when: &[{}], group: {:?}, conditions: &{:?}, \
         needs_one_of: &[{}], constants: &[{}], status: {}, open_options: {}, options: &[",
        command.words.join(" "),
        command.words,
        also.join(", "),
        fn_when.join(", "),
        command.group,
        command.raises,
        needs.join(", "),
        constants(command, &option),
        status_expression(&command.status),
        command.open,
    )
    .unwrap();
    for spec in &command.options {
        generate_option(out, spec, command, &option, &list);
    }
    out.push_str("    ] },\n");
}

fn constants(command: &Command, option: &dyn Fn(&str) -> String) -> String {
    let constant = |o: &Opt| {
        Some(format!(
            "({}, {})",
            option(&o.canonical),
            o.constant.as_ref()?
        ))
    };
    let constants: Vec<String> = command.options.iter().filter_map(constant).collect();
    constants.join(", ")
}

fn generate_option(
    out: &mut String,
    spec: &Opt,
    command: &Command,
    option: &dyn Fn(&str) -> String,
    list: &dyn Fn(&[String]) -> String,
) {
    writeln!(
        out,
        "        OptionSpec {{ id: {}, keyword: {:?}, argument: {}, argument_optional: {}, \
         required: {}, lengths: &[{}], status: {} }},",
        option(&spec.canonical),
        spec.keyword,
        spec.argument,
        spec.optional_argument,
        spec.required,
        list(&spec.lengths),
        status_expression(spec.status.as_ref().unwrap_or(&command.status)),
    )
    .unwrap();
}

fn status_expression(status: &str) -> &'static str {
    match status {
        "works" => "Status::Works",
        "constant" => "Status::Constant",
        "ignored" => "Status::Ignored",
        _ => "Status::Invreq",
    }
}
