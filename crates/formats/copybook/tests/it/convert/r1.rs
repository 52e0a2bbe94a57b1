//! The requests and responses printed in the report about z/OS Connect V2 (Figures 2 to 6).

use super::shape_of;
use serde_json::Value;
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{Node, OverrideId, Properties, RecordFormat, Redefinition, Shape};
use transom_copybook::{CodePage, Profile};

/// Figure 4, and Figure 6 with 127.
fn response(elements: usize) -> Shape {
    let source = format!(
        "      * Response from application CABASIC
       05 RECV-SIZE      PIC 9(8)  COMP-4.
       05 SEND-SIZE      PIC 9(8)  COMP-4.
       05 TASKID         PIC 9(8)  COMP-4.
       05 TRANID         PIC X(4).
       05 RS-SPARE       PIC X(16).
       05 USER-DATA      PIC X(32) OCCURS {elements} TIMES.
"
    );
    let mut shape = shape_of(&source, Profile::Host, Redefinition::First);
    let order = [
        "tranid",
        "user_data",
        "taskid",
        "rs_spare",
        "recv_size",
        "send_size",
    ];
    shape.reorder("", &order).expect("the members are there");
    let wrapper = Node::object("COMM1KOperationResponse", 0, members(shape.clone()));
    Shape::new(vec![wrapper])
}

fn members(shape: Shape) -> Vec<Node> {
    match shape.root.kind {
        transom_copybook::shape::Kind::Object(members) => members,
        _ => Vec::new(),
    }
}

fn request() -> Shape {
    let source = "
       05 COUNT-IN       PIC 9(8)  COMP-4.
       05 COUNT-OUT      PIC 9(8)  COMP-4.
";
    let shape = shape_of(source, Profile::Host, Redefinition::First);
    Shape::new(vec![Node::object("COMM1KOperation", 0, members(shape))])
}

fn record(elements: usize, ccsid: u32) -> Vec<u8> {
    let page = CodePage::by_ccsid(ccsid).expect("known page");
    let text = |text: &str| page.encode(text).0;
    let mut record = Vec::new();
    record.extend(0u32.to_be_bytes());
    record.extend(((elements as u32 + 1) * 32).to_be_bytes());
    record.extend(181u32.to_be_bytes());
    record.extend(text("BBO#"));
    record.extend(text(&" ".repeat(16)));
    for i in 1..=elements {
        record.extend(text(&format!("{i:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-")));
    }
    record
}

fn figure_3(elements: usize) -> String {
    let items: Vec<String> = (1..=elements)
        .map(|i| format!("{{\"user_data\":\"{i:04}-ABCDEFGHIJKLMNOPQRSTUVWXYZ-\"}}"))
        .collect();
    let (items, send_size) = (items.join(","), (elements + 1) * 32);
    format!(
        "{{\"COMM1KOperationResponse\":{{\"tranid\":\"BBO#\",\"user_data\":[{items}],\"taskid\":181,\
         \"rs_spare\":\"\",\"recv_size\":0,\"send_size\":{send_size}}}}}"
    )
}

#[test]
fn figure_3_comes_out_character_by_character_in_every_size_and_code_page() {
    for (elements, bytes) in [(31, 1024), (127, 4096), (255, 8192), (511, 16_384)] {
        for (ccsid, format) in [(37, RecordFormat::host(37)), (819, RecordFormat::region())] {
            let record = record(elements, ccsid);
            assert_eq!(record.len(), bytes);
            let decoder =
                Decoder::compile(&response(elements), &Properties::default(), &format).unwrap();
            let mut out = Vec::new();
            decoder.decode(&record, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), figure_3(elements));
        }
    }
}

#[test]
fn figure_2_becomes_two_binary_fullwords() {
    let shape = request();
    for format in [RecordFormat::host(37), RecordFormat::region()] {
        let encoder = Encoder::compile(&shape, &Properties::default(), &format).unwrap();
        let mut out = Vec::new();
        let json = "{\n  \"COMM1KOperation\": {\n    \"count_in\": 1, \"count_out\": 32\n  }\n}\n";
        encoder.encode(json.as_bytes(), &[], &mut out).unwrap();
        assert_eq!(out, [0, 0, 0, 1, 0, 0, 0, 32]);
    }
}

#[test]
fn the_path_parameter_replaces_the_member_and_is_converted_to_a_number() {
    let mut shape = request();
    shape
        .move_outside("COMM1KOperation/count_in", OverrideId(0))
        .unwrap();
    let encoder =
        Encoder::compile(&shape, &Properties::default(), &RecordFormat::region()).unwrap();
    let mut out = Vec::new();
    let body = br#"{"COMM1KOperation":{"count_out":32}}"#;
    encoder
        .encode(body, &[(OverrideId(0), "7")], &mut out)
        .unwrap();
    assert_eq!(out, [0, 0, 0, 7, 0, 0, 0, 32]);

    // A member that is no longer part of the body is unknown, so it is skipped.
    out.clear();
    let body = br#"{"COMM1KOperation":{"count_in":"x","count_out":33}}"#;
    encoder
        .encode(body, &[(OverrideId(0), "8")], &mut out)
        .unwrap();
    assert_eq!(out, [0, 0, 0, 8, 0, 0, 0, 33]);

    let error = encoder
        .encode(body, &[(OverrideId(0), "seven")], &mut out)
        .unwrap_err();
    assert_eq!(error.id, "TXMCB0712E");
    assert_eq!(error.field, "COUNT-IN");
    assert_eq!(out.len(), 8, "nothing is appended on an error");
}

#[test]
fn the_response_encodes_back_to_the_same_bytes() {
    let shape = response(511);
    for (ccsid, format) in [(37, RecordFormat::host(37)), (819, RecordFormat::region())] {
        let encoder = Encoder::compile(&shape, &Properties::default(), &format).unwrap();
        let mut out = Vec::new();
        encoder
            .encode(figure_3(511).as_bytes(), &[], &mut out)
            .unwrap();
        assert_eq!(out, record(511, ccsid));
        let spaced: Value = serde_json::from_str(&figure_3(511)).unwrap();
        out.clear();
        encoder
            .encode(
                serde_json::to_string_pretty(&spaced).unwrap().as_bytes(),
                &[],
                &mut out,
            )
            .unwrap();
        assert_eq!(out, record(511, ccsid));
    }
}
