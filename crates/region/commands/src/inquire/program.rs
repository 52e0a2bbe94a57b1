//! EXEC CICS INQUIRE PROGRAM (with START, NEXT, END) and SET PROGRAM.
//!
//! Conditions: PGMIDERR 1 (no such program; SET 7), ILLOGIC 1, END 2 (browse); SET: INVREQ 2 (a
//! value that is not allowed), or what the region answers. A program without definition is not
//! autoinstalled by INQUIRE, as on CICS.

use super::{Wanted, ask, either, no_value, wanted};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::SetRequest;
use transom_types::{ProgramName, Resp};
use transom_wire::Space;
use transom_wire::definitions::{Concurrency, Language, ProgramEntry, use_count};

/// INQUIRE PROGRAM.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Wanted::Name(name) = wanted(cx, Space::Program, opt::PROGRAM, 8)? else {
        return NORMAL;
    };
    let Some(entry) = ProgramEntry::find(cx.host.shared(), ProgramName::from_field(&name)) else {
        return raise(Resp::PGMIDERR, 1);
    };
    states(cx, &entry);
    let uses = use_count(cx.host.shared(), Space::Program, &name);
    cx.set_number(opt::USECOUNT, uses.min(i32::MAX as u64) as i64);
    let active = cx
        .task
        .levels
        .iter()
        .filter(|level| level.program == entry.program)
        .count();
    cx.set_number(opt::RESCOUNT, active as i64);
    cx.set_number(opt::LENGTH, i64::from(entry.length));
    if cx.has(opt::LOADPOINT) || cx.has(opt::ENTRYPOINT) {
        let loaded = (!entry.path.is_empty()).then(|| cx.host.load(&entry.module()).ok());
        let address = loaded.flatten().map_or(0, |(address, _)| address);
        cx.call.set_pointer(opt::LOADPOINT, address);
        cx.call.set_pointer(opt::ENTRYPOINT, address);
    }
    NORMAL
}

fn states(cx: &mut Cx<'_>, entry: &ProgramEntry) {
    cx.set_cvda(opt::STATUS, either(entry.enabled, "ENABLED", "DISABLED"));
    let language = match entry.language {
        Language::NotDefined => "NOTDEFINED",
        Language::Cobol => "COBOL",
        Language::C => "C",
        Language::Java => "JAVA",
        Language::Pli => "PLI",
        Language::Assembler => "ASSEMBLER",
    };
    cx.set_cvda(opt::LANGUAGE, language);
    cx.set_cvda(opt::LANGDEDUCED, language);
    let concurrency = match entry.concurrency {
        Concurrency::Quasirent => "QUASIRENT",
        Concurrency::Threadsafe => "THREADSAFE",
        Concurrency::Required => "REQUIRED",
    };
    cx.set_cvda(opt::CONCURRENCY, concurrency);
    cx.set_cvda(opt::APIST, either(entry.openapi, "OPENAPI", "CICSAPI"));
    cx.set_cvda(opt::CEDFSTATUS, either(entry.cedf, "CEDF", "NOCEDF"));
    cx.set_cvda(opt::DATALOCATION, either(entry.data_any, "ANY", "BELOW"));
    cx.set_cvda(
        opt::EXECKEY,
        either(entry.cics_key, "CICSEXECKEY", "USEREXECKEY"),
    );
    cx.set_cvda(
        opt::EXECUTIONSET,
        either(entry.dpl_subset, "DPLSUBSET", "FULLAPI"),
    );
    cx.set_cvda(
        opt::DYNAMSTATUS,
        either(entry.dynamic, "DYNAMIC", "NOTDYNAMIC"),
    );
    cx.set_cvda(
        opt::RESIDENCY,
        either(entry.resident, "RESIDENT", "NONRESIDENT"),
    );
    cx.set_cvda(opt::COPY, "NOTREQUIRED");
    cx.set_cvda(opt::PROGTYPE, "PROGRAM");
    cx.set_cvda(opt::SHARESTATUS, "PRIVATE");
    cx.set_cvda(opt::LPASTATUS, "NOTLPA");
    cx.set_cvda(opt::HOLDSTATUS, "NOTAPPLIC");
    cx.set_cvda(
        opt::RUNTIME,
        either(entry.language == Language::Java, "JVM", "NATIVE"),
    );
    cx.set_cvda(
        opt::INSTALLAGENT,
        either(entry.autoinstalled, "AUTOINSTALL", "GRPLIST"),
    );
    cx.set_text(opt::REMOTESYSTEM, entry.remote_system.as_str());
    cx.set_text(opt::REMOTENAME, entry.remote_name.as_str());
    cx.set_text(opt::TRANSID, entry.transid.as_str());
    no_value(
        cx,
        &[
            opt::LIBRARY,
            opt::LIBRARYDSN,
            opt::JVMCLASS,
            opt::JVMPROFILE,
            opt::JVMSERVER,
            opt::OPERATION,
            opt::APPLICATION,
            opt::PLATFORM,
            opt::INSTALLUSRID,
            opt::CHANGEUSRID,
            opt::CHANGEAGREL,
            opt::DEFINESOURCE,
            opt::SPECIFTCPS,
        ],
        &[opt::INSTALLTIME, opt::CHANGETIME, opt::DEFINETIME],
        &[opt::COBOLTYPE, opt::AVAILSTATUS, opt::CHANGEAGENT],
    );
}

/// SET PROGRAM.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::PROGRAM).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let name = ProgramName::from_field(&name);
    let Some(mut entry) = ProgramEntry::find(cx.host.shared(), name) else {
        return raise(Resp::PGMIDERR, 7);
    };
    let enable = cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED");
    let disable = cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED");
    if cx.has(opt::STATUS) && !enable && !disable {
        return raise(Resp::INVREQ, 2);
    }
    let new_copy = cx.value_is(opt::NEWCOPY, opt::COPY, "NEWCOPY")
        || cx.value_is(opt::PHASEIN, opt::COPY, "PHASEIN");
    if cx.has(opt::COPY) && !new_copy {
        return raise(Resp::INVREQ, 4);
    }
    let before = entry.clone();
    if cx.value_is(opt::CEDF, opt::CEDFSTATUS, "CEDF") {
        entry.cedf = true;
    }
    if cx.value_is(opt::NOCEDF, opt::CEDFSTATUS, "NOCEDF") {
        entry.cedf = false;
    }
    if cx.value_is(opt::DPLSUBSET, opt::EXECUTIONSET, "DPLSUBSET") {
        entry.dpl_subset = true;
    }
    if cx.value_is(opt::FULLAPI, opt::EXECUTIONSET, "FULLAPI") {
        entry.dpl_subset = false;
    }
    if entry != before && !entry.install(cx.host.shared()) {
        return raise(Resp::IOERR, 0);
    }
    if enable || disable {
        ask(cx, SetRequest::ProgramEnabled(name, enable))?;
    }
    if new_copy {
        ask(cx, SetRequest::ProgramNewCopy(name))?;
        cx.region.loadable.remove(&before.path);
    }
    NORMAL
}
