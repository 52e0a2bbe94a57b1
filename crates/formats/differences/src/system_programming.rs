//! How many of the system programming commands are there, and why the others are not.
//!
//! Why: who moves tools of a site wants to know before a program answers INVREQ. The command table
//! has all of IBM's list, so counts come from there; each command that is not there has its reason
//! here. Not here: options (`docs/reference/commands.md` has them).

use std::fmt::Write as _;
use transom_commands::{Command, Status, all};

/// Groups of the table that system programming commands are in.
const GROUPS: [&str; 5] = [
    "Creation and removal of resources",
    "CSD update",
    "Inquiry",
    "Setting of resources",
    "System commands",
];

const NO_WEB: &str = "HTTP is served by the gateway, which has no resources of the region";
const NO_EVENTS: &str = "there is no event processing";
const NO_JAVA: &str = "regions run COBOL, no Java and no Node.js";
const NO_MQ: &str = "there is no connection to IBM MQ";
const NO_SOAP: &str = "there are no SOAP web services";
const NO_EXITS: &str = "there are no user exits";
const NO_COUPLING: &str = "there is no coupling facility";
const NO_VTAM: &str =
    "there is no VTAM: terminals and regions come by TCP/IP and sockets of the host";
const NO_MVS: &str = "what it tells is of z/OS: a region is processes of Linux";
const NOT_BUILT: &str = "not built";

/// A command, or what commands are about, and why it is not there.
#[rustfmt::skip]
const REASONS: &[(&str, &str)] = &[
    ("ATOMSERVICE", "there are no Atom feeds"),
    ("AUTINSTMODEL", "terminals are made as they log on, without models"),
    ("BRFACILITY", "there is no 3270 bridge"),
    ("BUNDLE", "there are no bundles"),
    ("BUNDLEPART", "there are no bundles"),
    ("CAPDATAPRED", NO_EVENTS),
    ("CAPINFOSRCE", NO_EVENTS),
    ("CAPOPTPRED", NO_EVENTS),
    ("CAPTURESPEC", NO_EVENTS),
    ("CFDTPOOL", NO_COUPLING),
    ("CREATE TERMINAL", "terminals are made as they log on"),
    ("DISCARD TERMINAL", "terminals are made as they log on, and go as they log off"),
    ("CREATE DUMPCODE", "dump codes are made by SET TRANDUMPCODE, or by the first dump"),
    ("DELETSHIPPED", NOT_BUILT),
    ("DISCARD JOURNALNAME", "a journal is there as long as the region"),
    ("DISPATCHER", NO_MVS),
    ("DOCTEMPLATE", "there are no document templates"),
    ("DUMPDS", "dumps are files of their own"),
    ("ENQMODEL", "ENQ is for one region"),
    ("EPADAPTER", NO_EVENTS),
    ("EPADAPTERSET", NO_EVENTS),
    ("EPADAPTINSET", NO_EVENTS),
    ("EVENTBINDING", NO_EVENTS),
    ("EVENTPROCESS", NO_EVENTS),
    ("EXCI", "no program outside calls by EXCI; it comes by the gateway or a local adapter"),
    ("EXITPROGRAM", NO_EXITS),
    ("ENABLE PROGRAM", NO_EXITS),
    ("DISABLE PROGRAM", NO_EXITS),
    ("EXTRACT EXIT", NO_EXITS),
    ("FEATUREKEY", NOT_BUILT),
    ("HOST", NO_WEB),
    ("IPFACILITY", NOT_BUILT),
    ("IRC", NO_VTAM),
    ("JOURNALNUM", "withdrawn by IBM: JOURNALNAME has its place"),
    ("JVMENDPOINT", NO_JAVA),
    ("JVMSERVER", NO_JAVA),
    ("LIBRARY", "programs come from the system directory"),
    ("LSRPOOL", "the store has one cache, that of the operating system"),
    ("MODENAME", NO_VTAM),
    ("MQCONN", NO_MQ),
    ("MQINI", NO_MQ),
    ("MQMONITOR", NO_MQ),
    ("MVSTCB", NO_MVS),
    ("NODEJSAPP", NO_JAVA),
    ("OSGIBUNDLE", NO_JAVA),
    ("OSGISERVICE", NO_JAVA),
    ("OTEL", NOT_BUILT),
    ("PARTITIONSET", "screens have no partitions"),
    ("PARTNER", "there is no SAA communications interface"),
    ("PIPELINE", NO_SOAP),
    ("POLICY", NOT_BUILT),
    ("POLICYRULE", NOT_BUILT),
    ("PROCESSTYPE", "there are no business transaction services"),
    ("RRMS", NO_MVS),
    ("SECDISCOVERY", NOT_BUILT),
    ("SECRECORDING", NOT_BUILT),
    ("SET AUTOINSTALL", "terminals are made as they log on; [terminals] has the bounds"),
    ("SET DSNAME", "data sets are changed by IDCAMS"),
    ("SET NETNAME", "SET TERMINAL does it"),
    ("STORAGE", NO_MVS),
    ("STORAGE64", NO_MVS),
    ("STREAMNAME", "journals are files, without log streams"),
    ("SUBPOOL", NO_MVS),
    ("SYSDUMPCODE", "a system dump is written when somebody asks for it, under any code"),
    ("TAG", NOT_BUILT),
    ("TAGS", NOT_BUILT),
    ("TCLASS", "withdrawn by IBM: TRANCLASS has its place"),
    ("TCPIP", NO_WEB),
    ("TEMPSTORAGE", "bounds of temporary storage are settings: EDSALIM, TSAUXMB"),
    ("TSPOOL", NO_COUPLING),
    ("TYPETERM", "a terminal tells by itself what it can do"),
    ("ACQUIRE TERMINAL", "no session is begun from here: terminals log on"),
    ("UOWDSNFAIL", NOT_BUILT),
    ("URIMAP", NO_WEB),
    ("VTAM", NO_VTAM),
    ("WEB", NO_WEB),
    ("WEBSERVICE", NO_SOAP),
    ("WLMHEALTH", NO_MVS),
    ("WORKREQUEST", NO_MVS),
    ("XMLTRANSFORM", "there are no XML transforms"),
    ("ENDAFFINITY", NO_VTAM),
    ("SSL", NOT_BUILT),
];

/// The page `docs/reference/commands.md`: that of the command table, and the counts behind it.
pub fn commands_page() -> String {
    transom_commands::reference_page() + &counts()
}

fn counts() -> String {
    let mut page = String::from(
        "\n## System programming: how many, and why not\n\n\
         All commands of IBM's list by their verb. *Works* counts those that work, with or without an option that does not.\n\n\
         | verb | of IBM's list | works | ignored | INVREQ |\n| --- | --- | --- | --- | --- |\n",
    );
    let mut verbs: Vec<&str> = commands().map(verb).collect();
    verbs.sort_unstable();
    verbs.dedup();
    for name in verbs {
        row(&mut page, name, &|command| verb(command) == name);
    }
    row(&mut page, "all", &|_| true);
    page.push_str("\n| not there | why |\n| --- | --- |\n");
    for command in missing() {
        let why = reason(command).unwrap_or_default();
        let _ = writeln!(page, "| {} | {why} |", command.name);
    }
    page
}

fn row(page: &mut String, name: &str, fits: &dyn Fn(&Command) -> bool) {
    let count = |status: &[Status]| {
        let of_verb = commands().filter(|command| fits(command));
        of_verb
            .filter(|command| status.contains(&command.status))
            .count()
    };
    let (works, ignored) = (
        count(&[Status::Works, Status::Constant]),
        count(&[Status::Ignored]),
    );
    let invreq = count(&[Status::Invreq]);
    let all = works + ignored + invreq;
    let _ = writeln!(page, "| {name} | {all} | {works} | {ignored} | {invreq} |");
}

fn commands() -> impl Iterator<Item = &'static Command> {
    let named = all().iter().filter(|command| !command.words.is_empty());
    named.filter(|command| GROUPS.contains(&command.group))
}

fn missing() -> impl Iterator<Item = &'static Command> {
    commands().filter(|command| command.status == Status::Invreq)
}

fn verb(command: &Command) -> &'static str {
    command.words.first().copied().unwrap_or_default()
}

/// By the whole command, its verb, or what it is about.
fn reason(command: &Command) -> Option<&'static str> {
    let about = command.words.get(1).copied().unwrap_or_default();
    let of = |key: &str| REASONS.iter().find(|(known, _)| *known == key);
    let found = of(command.name)
        .or_else(|| of(verb(command)))
        .or_else(|| of(about));
    found.map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_has_a_reason_and_no_reason_is_left_over() {
        for command in missing() {
            assert!(reason(command).is_some(), "{} has no reason", command.name);
        }
        for (key, _) in REASONS {
            let used = |command: &&Command| {
                let about = command.words.get(1).copied().unwrap_or_default();
                [command.name, verb(command), about].contains(key)
            };
            assert!(missing().any(|command| used(&command)), "{key} is there");
        }
        let page = counts();
        assert!(page.contains("| INQUIRE | "), "{page}");
        assert!(
            page.contains("| CREATE MQCONN | there is no connection to IBM MQ |"),
            "{page}"
        );
    }
}
