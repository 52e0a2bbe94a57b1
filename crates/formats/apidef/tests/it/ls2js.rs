//! `transom ls2js`: parameter lines and copybooks in, bind file and schemas out, and the service
//! that comes of them.

use transom_apidef::ls2js::{Bind, Generated, MAGIC, generate};
use transom_apidef::plan::ServicePlan;
use transom_apidef::sar::{Carrier, ServiceArchive};
use transom_copybook::Profile;
use transom_copybook::shape::RecordFormat;

const REQUEST: &str = "\
      * Request to application CABASIC
       05 COUNT-IN       PIC 9(8)  COMP-4.
       05 COUNT-OUT      PIC 9(8)  COMP-4.
";
const RESPONSE: &str = "\
      *
      * Response from application CABASIC
      * 1kB of application data
       05 RECV-SIZE      PIC 9(8)  COMP-4.
       05 SEND-SIZE      PIC 9(8)  COMP-4.
       05 TASKID         PIC 9(8)  COMP-4.
       05 TRANID         PIC X(4)  .
       05 RS-SPARE       PIC X(16) .
       05 USER-DATA      PIC X(32) OCCURS 31 TIMES.
";
const PARAMETERS: &str = "\
# the 1K service
LANG=COBOL
PDSLIB=//CABASIC.COPY
REQMEM=COMM1KQ
RESPMEM=COMM1KR
PGMNAME=COMM1K
PGMINT=COMMAREA
MAPPING-LEVEL=3.0
LOGFILE=/u/ctgperf/logs/\\
  comm1k.log
WSBIND=/u/ctgperf/bindfiles/comm1k.wsbind
JSON-SCHEMA-REQUEST=/u/ctgperf/schemas/comm1k_request.json
JSON-SCHEMA-RESPONSE=/u/ctgperf/schemas/comm1k_response.json
";

fn member(name: &str) -> Option<String> {
    match name {
        "COMM1KQ" => Some(REQUEST.to_owned()),
        "COMM1KR" => Some(RESPONSE.to_owned()),
        _ => None,
    }
}

fn run(parameters: &str) -> Result<Generated, transom_messages::Problem> {
    generate("comm1k.parm", parameters, member)
}

fn plan(bind: &Bind) -> ServicePlan {
    ServicePlan::new(
        &bind.service("comm1k", Profile::Native).unwrap(),
        &RecordFormat::region(),
    )
    .unwrap()
}

/// A reply of the program: sizes, task, transaction and 31 numbered lines.
fn reply() -> Vec<u8> {
    let mut record = Vec::new();
    for number in [0u32, 1024, 181] {
        record.extend(number.to_be_bytes());
    }
    record.extend(b"BBO#                ");
    for line in 1..=31 {
        record.extend(format!("{line:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-").bytes());
    }
    record
}

#[test]
fn the_measured_service_answers_as_printed() {
    let generated = run(PARAMETERS).unwrap();
    assert_eq!(
        generated.bind.parameters.log_file.as_deref(),
        Some("/u/ctgperf/logs/comm1k.log")
    );
    let plan = plan(&Bind::read("comm1k.wsbind", generated.bind_text.as_bytes()).unwrap());
    assert_eq!((plan.program.as_str(), plan.commarea_len), ("COMM1K", 1024));
    let mut record = Vec::new();
    plan.request
        .encode(
            br#"{"COMM1KOperation": {"count_in": 1, "count_out": 32}}"#,
            &[],
            &mut record,
        )
        .unwrap();
    assert_eq!(
        (record.len(), &record[..8]),
        (1024, &[0, 0, 0, 1, 0, 0, 0, 32][..])
    );
    let mut out = Vec::new();
    let record = reply();
    assert_eq!(record.len(), 1024);
    assert_eq!(plan.response.decode(&record, &mut out).unwrap().code, 200);
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let answer = &json["COMM1KOperationResponse"];
    let expected = serde_json::json!({"tranid": "BBO#", "taskid": 181, "rs_spare": "", "recv_size": 0, "send_size": 1024});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&answer[name], value, "{name}");
    }
    let lines = answer["user_data"].as_array().unwrap();
    assert_eq!(lines.len(), 31);
    assert_eq!(
        lines[30],
        serde_json::json!({"user_data": "0031-ABCDEFGHIJKLMNOPQRSTUVWXYZ-"})
    );
    assert_eq!(answer.as_object().unwrap().len(), 6);
}

#[test]
fn from_level_4_1_an_array_of_values_is_one() {
    let generated = run(&PARAMETERS.replace("3.0", "4.1")).unwrap();
    let mut out = Vec::new();
    plan(&generated.bind)
        .response
        .decode(&reply(), &mut out)
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(
        json["COMM1KOperationResponse"]["user_data"][1],
        "0002-ABCDEFGHIJKLMNOPQRSTUVWXYZ-"
    );
}

#[test]
fn schemas_and_bind_file_are_readable() {
    let generated = run(PARAMETERS).unwrap();
    let request = &generated.request_schema;
    assert_eq!(request["required"][0], "COMM1KOperation");
    assert_eq!(
        request["properties"]["COMM1KOperation"]["properties"]["count_out"]["maximum"],
        99_999_999
    );
    let table = &generated.response_schema["properties"]["COMM1KOperationResponse"]["properties"]["user_data"];
    assert_eq!(
        (
            table["maxItems"].as_u64(),
            table["items"]["properties"]["user_data"]["maxLength"].as_u64()
        ),
        (Some(31), Some(32))
    );
    assert!(
        generated
            .bind_text
            .starts_with(&format!("{MAGIC}\nparameters:\n  LANG: COBOL\n"))
    );
    assert!(
        generated.bind_text.contains("\n  05 USER-DATA")
            || generated.bind_text.contains("05 USER-DATA      PIC X(32)")
    );
    let back = Bind::read("x", generated.bind_text.as_bytes()).unwrap();
    assert_eq!(back.to_text(), generated.bind_text);
}

#[test]
fn a_service_archive_on_request_and_a_channel() {
    let text = PARAMETERS.replace(
        "PGMINT=COMMAREA",
        "PGMINT=CHANNEL\nCONTID=DATA\nSERVICE-ARCHIVE=/u/x/comm1k.sar\nSERVICE-NAME=comm1k",
    );
    let generated = run(&text).unwrap();
    let service = ServiceArchive::read("comm1k.sar", &generated.archive.unwrap()).unwrap();
    assert_eq!(
        (service.name.as_str(), service.program.unwrap().as_str()),
        ("comm1k", "COMM1K")
    );
    let Carrier::Channel { containers, .. } = &service.request.carrier else {
        panic!()
    };
    assert_eq!(
        (containers[0].name.as_str(), containers[0].bytes),
        ("DATA", 8)
    );
    let plan = ServicePlan::new(&service, &RecordFormat::region()).unwrap();
    let mut record = Vec::new();
    plan.request
        .encode(br#"{"COMM1KOperation":{"count_out":5}}"#, &[], &mut record)
        .unwrap();
    let parts = plan.request.carrier.split(&record);
    assert_eq!(
        (parts[0].0.name.as_str(), parts[0].1),
        ("DATA", &[0, 0, 0, 0, 0, 0, 0, 5][..])
    );
}

#[test]
fn mistakes_in_parameters_name_the_line() {
    for (from, to, expected) in [
        (
            "LANG=COBOL",
            "LANGUAGE=COBOL",
            "TXMAD0030E comm1k.parm:2:1: unknown parameter LANGUAGE",
        ),
        (
            "REQMEM=",
            "REQMEN=",
            "TXMAD0030E comm1k.parm:4:1: unknown parameter REQMEN; did you mean REQMEM?",
        ),
        (
            "LANG=COBOL",
            "LANG=PLI",
            "TXMAD0031E comm1k.parm:2:1: LANG is \"PLI\"; it must be one of COBOL",
        ),
        (
            "=3.0",
            "=9.9",
            "TXMAD0031E comm1k.parm:8:1: MAPPING-LEVEL is \"9.9\"",
        ),
        (
            "PGMNAME=COMM1K",
            "",
            "TXMAD0032E comm1k.parm: PGMNAME is missing",
        ),
        (
            "PGMNAME=COMM1K",
            "PGMNAME=TOOLONGNAME",
            "TXMAD0031E comm1k.parm:6:1: PGMNAME is \"TOOLONGNAME\": the name has 11",
        ),
        (
            "PGMINT=COMMAREA",
            "PGMINT=CHANNEL",
            "TXMAD0032E comm1k.parm: PGMINT=CHANNEL needs CONTID",
        ),
        (
            "comm1k_request.json",
            "comm1k.json",
            "TXMAD0031E comm1k.parm:12:1: JSON-SCHEMA-REQUEST is",
        ),
        (
            "LANG=COBOL",
            "LANG=COBOL\nLANG=COBOL",
            "TXMAD0030E comm1k.parm:3:1: LANG comes twice",
        ),
        (
            "LANG=COBOL",
            "LANG COBOL",
            "TXMAD0030E comm1k.parm:2:1: \"LANG COBOL\" is not of the form KEY=value",
        ),
        (
            "REQMEM=COMM1KQ",
            "REQMEM=NOPE",
            "TXMAD0033E comm1k.parm: the copybook NOPE is not found",
        ),
        (
            "PGMINT=COMMAREA",
            "TRUNCATE-NULL-ARRAYS=ENABLED",
            "TXMAD0031E comm1k.parm:7:1: TRUNCATE-NULL-ARRAYS needs MAPPING-LEVEL=4.1",
        ),
    ] {
        let error = run(&PARAMETERS.replacen(from, to, 1))
            .unwrap_err()
            .id_first()
            .to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let notices = run(&PARAMETERS.replace("PGMINT=COMMAREA", "PDSCP=1047"))
        .unwrap()
        .notices;
    assert_eq!(
        notices[0].id_first().to_string(),
        "TXMAD0035W comm1k.parm:7:1: PDSCP is accepted and has no effect"
    );
}

#[test]
fn copybooks_the_utility_does_not_support() {
    let base = "LANG=COBOL\nREQMEM=X\nPGMNAME=P\nMAPPING-LEVEL=";
    for (level, copybook, expected) in [
        (
            "4.3",
            "01 R.\n 05 A PIC X(4).\n 05 B REDEFINES A PIC 9(4).",
            "B: REDEFINES is not supported",
        ),
        (
            "1.1",
            "01 R.\n 05 A COMP-1.",
            "A: COMP-1 and COMP-2 needs MAPPING-LEVEL=1.2",
        ),
        (
            "3.0",
            "01 R.\n 05 N PIC 9(4).\n 05 A PIC X OCCURS 1 TO 5 DEPENDING ON N.",
            "A: OCCURS DEPENDING ON needs MAPPING-LEVEL=4.0",
        ),
        (
            "4.0",
            "01 R.\n 05 N PIC 9(4).\n 05 A PIC X OCCURS 1 TO 5 DEPENDING ON N.",
            "A: OCCURS DEPENDING ON needs DATA-TRUNCATION=ENABLED",
        ),
        (
            "4.0",
            "01 R.\n 05 A PIC 9(19).",
            "A: whole numbers have at most 18 digits",
        ),
        (
            "4.0",
            "01 R.\n 05 A PIC ZZ9.99.",
            "A: of edited numbers only 9 and Z",
        ),
        ("4.0", "01 R.\n 05 A PIC Q(9).", "TXMCB"),
    ] {
        let copybook = copybook.to_owned();
        let error =
            generate("p", &format!("{base}{level}\n"), |_| Some(copybook.clone())).unwrap_err();
        assert_eq!(error.id(), "TXMAD0033E", "{error:?}");
        assert!(error.words().starts_with(expected), "{error:?}\n{expected}");
    }
}

#[test]
fn options_of_text_and_tables() {
    let base = "LANG=COBOL\nRESPMEM=X\nPGMNAME=P\n";
    let copybook = "01 R.\n 05 A PIC X(4) JUSTIFIED.\n 05 C PIC X OCCURS 3.\n 05 N PIC 9.\n 05 T PIC 9 OCCURS 0 TO 5 DEPENDING ON N.";
    let text = format!("{base}CHAR-OCCURS=STRING\nDATA-TRUNCATION=ENABLED\nCHAR-VARYING=NO\n");
    let generated = generate("p", &text, |_| Some(copybook.to_owned())).unwrap();
    let plan = plan(&generated.bind);
    let mut out = Vec::new();
    plan.response.decode(b"ab  xyz278", &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        r#"{"POperationResponse":{"a":"ab  ","c":"xyz","n":2,"t":[7,8]}}"#
    );
    let mut record = Vec::new();
    plan.request.encode(b"{}", &[], &mut record).unwrap();
}

#[test]
fn bind_files_of_others_are_refused() {
    let error = Bind::read("comm1k.wsbind", b"\xc2\xc1\xd8\x00\x01binary").unwrap_err();
    assert_eq!(error.id(), "TXMAD0034E");
    assert!(error.words().contains("transom ls2js"), "{error:?}");
    assert_eq!(
        Bind::read("x", b"#%TRANSOM-BIND 2\n").unwrap_err().id(),
        "TXMAD0034E"
    );
    assert_eq!(
        Bind::read("x", format!("{MAGIC}\n- a\n").as_bytes())
            .unwrap_err()
            .id(),
        "TXMAD0051E"
    );
    assert_eq!(
        Bind::read("x", format!("{MAGIC}\na: [").as_bytes())
            .unwrap_err()
            .id(),
        "TXMAD0006E"
    );
}

#[test]
fn the_measured_api_maps_its_path_parameter() {
    use std::sync::Arc;
    use transom_apidef::aar::ApiArchive;
    use transom_apidef::plan::ApiPlan;
    let plan = Arc::new(plan(&run(PARAMETERS).unwrap().bind));
    let services = |name: &str| (name == "comm1k").then(|| plan.clone());
    let yaml = "
name: comm1k
operations:
- {method: PUT, path: '/mapping/CABASIC-RS2/{countIn}', service: comm1k, request: {path: {countIn: COMM1KOperation/count_in}}}
";
    let bytes = transom_apidef::toolkit::build_api("comm1k.yml", yaml, services).unwrap();
    let api = ApiPlan::new(&ApiArchive::read("comm1k.aar", &bytes).unwrap(), services).unwrap();
    let operation = &api.operations[0];
    assert_eq!(
        (api.base_path.as_str(), operation.path.as_str()),
        ("/comm1k", "/mapping/CABASIC-RS2/{countIn}")
    );
    let mut record = Vec::new();
    let id = operation.request.overrides[0].id;
    operation
        .request
        .encode(
            br#"{"COMM1KOperation":{"count_out":32}}"#,
            &[(id, "1")],
            &mut record,
        )
        .unwrap();
    assert_eq!(&record[..8], [0, 0, 0, 1, 0, 0, 0, 32]);
    let mut out = Vec::new();
    operation.response.decode(&reply(), &mut out).unwrap();
    assert!(out.starts_with(br#"{"COMM1KOperationResponse":{"recv_size":0,"send_size":1024,"taskid":181,"tranid":"BBO#","#));
}
