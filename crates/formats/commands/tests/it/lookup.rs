//! Keywords of a program -> the command.

use transom_commands::{
    ArgKind, DataKind, Flow, Status, abi, by_words, cmd, command, dfhvalue, opt,
};

fn name(words: &str) -> &'static str {
    let words: Vec<&str> = words.split(' ').collect();
    by_words(&words).map_or("", |c| c.name)
}

#[test]
fn forms_of_one_verb() {
    assert_eq!(name("READ FILE INTO RIDFLD UPDATE"), "READ");
    assert_eq!(name("READNEXT DATASET INTO RIDFLD"), "READNEXT");
    assert_eq!(name("DELETE FILE RIDFLD"), "DELETE");
    assert_eq!(name("DELETE CONTAINER CHANNEL"), "DELETE CONTAINER");
    assert_eq!(name("DELETE COUNTER POOL"), "DELETE COUNTER");
    assert_eq!(name("SEND FROM LENGTH ERASE"), "SEND");
    assert_eq!(name("SEND TEXT FROM ERASE FREEKB"), "SEND TEXT");
    assert_eq!(name("SEND CONTROL ERASE"), "SEND CONTROL");
    assert_eq!(name("WRITE FILE FROM RIDFLD"), "WRITE");
    assert_eq!(name("WRITE OPERATOR TEXT"), "WRITE OPERATOR");
    assert_eq!(name("WRITE JOURNALNAME JTYPEID FROM"), "WRITE JOURNALNAME");
    assert_eq!(name("ASKTIME ABSTIME"), "ASKTIME");
    assert_eq!(name("ASKTIME"), "ASKTIME");
    assert_eq!(name("LINK PROGRAM COMMAREA"), "LINK");
    assert_eq!(name("LINK ACTIVITY INPUTEVENT"), "LINK ACTIVITY");
    assert_eq!(name("ADDRESS CWA"), "ADDRESS");
    assert_eq!(name("ADDRESS SET USING"), "ADDRESS SET");
    assert_eq!(name("ALLOCATE SYSID"), "ALLOCATE");
    assert_eq!(name("VERIFY USERID PASSWORD"), "VERIFY PASSWORD");
    assert_eq!(name("WAIT EVENT ECADDR"), "WAIT EVENT");
}

#[test]
fn options_come_in_any_order() {
    assert_eq!(name("SEND MAPSET FROM MAP CURSOR"), "SEND MAP");
    assert_eq!(name("READQ QUEUE TS INTO ITEM"), "READQ TS");
    assert_eq!(name("WRITEQ QUEUE FROM TD"), "WRITEQ TD");
    assert_eq!(name("FETCH ABCODE CHILD COMPSTATUS"), "FETCH CHILD");
}

#[test]
fn the_first_resource_names_an_inquiry() {
    assert_eq!(name("INQUIRE TASK PROGRAM USERID"), "INQUIRE TASK");
    assert_eq!(name("INQUIRE PROGRAM STATUS"), "INQUIRE PROGRAM");
    assert_eq!(name("INQUIRE URIMAP START"), "INQUIRE URIMAP");
    assert_eq!(name("SET TERMINAL UCTRANST"), "SET TERMINAL");
    assert_eq!(name("ISSUE COPY TERMID WAIT"), "ISSUE COPY");
}

#[test]
fn defaults_and_other_spellings() {
    assert_eq!(name("READQ QUEUE INTO"), "READQ TS");
    assert_eq!(name("EXTRACT WEB PATH"), "WEB EXTRACT");
    assert_eq!(
        name("INVOKE WEBSERVICE CHANNEL OPERATION"),
        "INVOKE SERVICE"
    );
    assert_eq!(name("PUSH"), "PUSH HANDLE");
}

#[test]
fn web_client_forms_have_a_session_token() {
    let id = |w: &[&str]| by_words(w).map(|c| c.id);
    assert_eq!(
        id(&["WEB", "SEND", "FROM", "STATUSCODE"]),
        Some(cmd::WEB_SEND)
    );
    assert_eq!(
        id(&["WEB", "SEND", "SESSTOKEN", "GET", "PATH"]),
        Some(cmd::WEB_SEND_CLIENT)
    );
    assert_eq!(
        id(&["WEB", "RECEIVE", "INTO", "SESSTOKEN"]),
        Some(cmd::WEB_RECEIVE_CLIENT)
    );
}

#[test]
fn what_is_no_command_is_none() {
    assert_eq!(by_words(&["FROB", "FILE"]), None);
    assert_eq!(by_words(&["PUT"]), None);
    assert_eq!(by_words(&["FILE", "READ"]), None);
    assert_eq!(by_words(&[]), None);
}

#[test]
fn an_option_tells_what_stands_in_its_parentheses() {
    let link = command(cmd::LINK).unwrap();
    let commarea = link.option("COMMAREA").unwrap();
    let area = ArgKind::DataArea {
        kind: DataKind::Bytes,
        flow: Flow::InOut,
    };
    assert_eq!(commarea.argument, area);
    assert_eq!(commarea.lengths, [opt::LENGTH]);
    assert!(link.option("PROGRAM").unwrap().required);
    assert_eq!(link.option("RESP").unwrap().id, opt::RESP);
    assert_eq!(link.option("DATASEP"), None);

    let read = command(cmd::READ).unwrap();
    assert_eq!(read.option("DATASET").unwrap().id, opt::FILE);
    assert_eq!(read.option_by_id(opt::FILE).unwrap().keyword, "FILE");
    assert_eq!(read.needs_one_of, [&[opt::INTO, opt::SET]]);

    let format = command(cmd::FORMATTIME).unwrap();
    assert!(format.option("DATESEP").unwrap().argument_optional);
}

#[test]
fn words_that_are_no_options() {
    let queue = command(cmd::WRITEQ_TS).unwrap();
    assert!(queue.is_plain_word("TS"));
    assert!(!queue.is_plain_word("QUEUE"));
    assert!(
        !command(cmd::PUT_CONTAINER)
            .unwrap()
            .is_plain_word("CONTAINER")
    );
}

#[test]
fn function_codes() {
    let code = |id, with| command(id).unwrap().fn_code_with(|o| Some(o) == with);
    assert_eq!(code(cmd::LINK, None), Some([0x0E, 0x02]));
    assert_eq!(code(cmd::ASKTIME, None), Some([0x10, 0x02]));
    assert_eq!(code(cmd::ASKTIME, Some(opt::ABSTIME)), Some([0x4A, 0x02]));
    assert_eq!(code(cmd::GET_CONTAINER, None), Some([0x34, 0x16]));
}

#[test]
fn cics_values() {
    assert_eq!(dfhvalue("ENABLED"), Some(23));
    assert_eq!(dfhvalue("DISABLED"), Some(24));
    assert_eq!(dfhvalue("OPEN"), Some(18));
    assert_eq!(dfhvalue("NOTAPPLIC"), Some(1));
    assert_eq!(dfhvalue("ACTIVITY"), Some(1002));
    assert_eq!(dfhvalue("NOSUCHVALUE"), None);
    // A value of CICS whose number has not been read in public documentation has one of our own.
    assert!(dfhvalue("QUASIRENT").is_some_and(|n| n > 30_000));
    assert_ne!(dfhvalue("QUASIRENT"), dfhvalue("THREADSAFE"));
    assert_eq!(transom_commands::cvda_name(19), Some("CLOSED"));
}

#[test]
fn a_command_not_written_yet_is_marked() {
    assert_eq!(command(cmd::GDS_SEND).unwrap().status, Status::Invreq);
    assert_eq!(command(cmd::PUT_CONTAINER).unwrap().status, Status::Works);
}

#[test]
fn descriptors_survive_the_trip() {
    let descriptor = abi::Descriptor {
        command: cmd::LINK,
        flags: abi::FLAG_NOHANDLE,
        line: 70_000,
        arguments: vec![opt::PROGRAM, opt::COMMAREA],
        keywords: vec![opt::SYNCONRETURN],
        labels: vec![(opt::LABEL, 3)],
    };
    let bytes = descriptor.encode().unwrap();
    assert_eq!(abi::Descriptor::decode(&bytes), Some(descriptor));
    for cut in 0..bytes.len() {
        assert_eq!(abi::Descriptor::decode(&bytes[..cut]), None);
    }
}
