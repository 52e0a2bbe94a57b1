//! IBM's archives put together: JSON in, bytes as a program sees them, bytes it leaves, JSON out.

use crate::fixtures::outside;
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::{ApiPlan, ServicePlan, Source};
use transom_apidef::sar::ServiceArchive;
use transom_copybook::shape::RecordFormat;

fn plan(sar: &str, aar: &str) -> Option<ApiPlan> {
    let service = ServiceArchive::read(sar, &outside(sar)?).unwrap();
    let service = Arc::new(ServicePlan::new(&service, &RecordFormat::region()).unwrap());
    let api = ApiArchive::read(aar, &outside(aar)?).unwrap();
    Some(ApiPlan::new(&api, |name| (name == service.name).then(|| service.clone())).unwrap())
}

#[test]
fn account_creation_there_and_back() {
    let Some(api) = plan("CSacccre.sar", "creacc.aar") else {
        return;
    };
    let operation = &api.operations[0];
    assert_eq!(
        (
            operation.method.as_str(),
            operation.service.program.as_str()
        ),
        ("POST", "CREACC")
    );
    let body = br#"{"CreAcc":{"CommAccType":"ISA","CommCustno":1234,"CommKey":{"CommSortcode":987654},"CommIntRt":1.5,
        "CommAvailBal":-12.34,"CommOverdrLim":100,"unknown":[1]}}"#;
    let mut record = Vec::new();
    operation.request.encode(body, &[], &mut record).unwrap();
    assert_eq!(record.len(), 100);
    let text = |from: usize, len: usize| std::str::from_utf8(&record[from..from + len]).unwrap();
    assert_eq!(
        (text(4, 10), text(14, 6), text(36, 6), text(74, 12)),
        ("0000001234", "987654", "000150", "00000000123M")
    );
    assert_eq!(text(28, 8).trim_end_matches(['\0', ' ']), "ISA");
    // What the program leaves: everything filled.
    let mut record = record.clone();
    record[..4].copy_from_slice(b"ACCT");
    record[28..36].copy_from_slice(b"ISA     ");
    for (at, digits) in [
        (20, "00000001"),
        (42, "20112025"),
        (58, "20112025"),
        (66, "20122025"),
        (86, "000000001234"),
    ] {
        record[at..at + digits.len()].copy_from_slice(digits.as_bytes());
    }
    record[98..].copy_from_slice(b"Y ");
    let mut out = Vec::new();
    let reply = operation.response.decode(&record, &mut out).unwrap();
    assert_eq!((reply.code, reply.headers.len()), (200, 0));
    let expected = concat!(
        r#"{"CreAcc":{"CommEyecatcher":"ACCT","CommCustno":1234,"CommKey":{"CommSortcode":987654,"CommNumber":1},"#,
        r#""CommAccType":"ISA","CommIntRt":1.50,"CommOpened":20112025,"CommOverdrLim":100,"CommLastStmtDt":20112025,"#,
        r#""CommNextStmtDt":20122025,"CommAvailBal":-12.34,"CommActBal":12.34,"CommSuccess":"Y","CommFailCode":""}}"#
    );
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn enquiry_takes_the_account_number_from_the_path() {
    let Some(api) = plan("CSaccenq.sar", "inqaccz.aar") else {
        return;
    };
    let operation = &api.operations[0];
    let [number] = operation.request.overrides.as_slice() else {
        panic!()
    };
    assert_eq!(
        (number.source, number.name.as_str(), number.field.as_str()),
        (Source::Path, "accno", "InqAcc/InqAccAccno")
    );
    let mut record = Vec::new();
    operation
        .request
        .encode(b"", &[(number.id, "42")], &mut record)
        .unwrap();
    let at = operation
        .service
        .request
        .shape
        .find("InqAcc/InqAccAccno")
        .unwrap()
        .offset;
    assert_eq!(&record[at..at + 8], b"00000042");
    // A body cannot set what the path gives.
    record.clear();
    operation
        .request
        .encode(
            br#"{"InqAcc":{"InqAccAccno":7}}"#,
            &[(number.id, "42")],
            &mut record,
        )
        .unwrap();
    assert_eq!(&record[at..at + 8], b"00000042");
    let error = operation
        .request
        .encode(b"", &[(number.id, "x1")], &mut record)
        .unwrap_err();
    assert_eq!(error.id, "TXMCB0712E");
}

#[test]
fn accounts_of_a_customer_come_as_many_as_the_counter_says() {
    let Some(api) = plan("CScustacc.sar", "inqacccz.aar") else {
        return;
    };
    let operation = &api.operations[0];
    let mut record = Vec::new();
    operation
        .request
        .encode(
            b" ",
            &[(operation.request.overrides[0].id, "77")],
            &mut record,
        )
        .unwrap();
    assert_eq!((record.len(), &record[4..14]), (1981, &b"0000000077"[..]));
    record[..4].copy_from_slice(&2u32.to_be_bytes());
    record[14..21].copy_from_slice(b"Y Y\0\0\0\0");
    for i in 0..2 {
        let at = 21 + i * 98;
        record[at..at + 98].fill(b'0');
        record[at..at + 4].copy_from_slice(b"ACCT");
        record[at + 27] = b'0' + i as u8;
    }
    let mut out = Vec::new();
    operation.response.decode(&record, &mut out).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let accounts = json["InqAccZ"]["AccountDetails"].as_array().unwrap();
    assert_eq!(
        (accounts.len(), json["InqAccZ"].get("NUMBER_OF_ACCOUNTS")),
        (2, None)
    );
    assert_eq!(
        (
            accounts[1]["CommAccno"].to_string(),
            accounts[1].get("CommScode")
        ),
        ("1".to_owned(), None)
    );
}

#[test]
fn an_api_without_its_service_is_refused() {
    let Some(bytes) = outside("creacc.aar") else {
        return;
    };
    let api = ApiArchive::read("creacc.aar", &bytes).unwrap();
    let error = ApiPlan::new(&api, |_| None).unwrap_err();
    assert_eq!(
        error.id_first().to_string(),
        "TXMAD0024E creacc: POST /creacc/insert needs service CSacccre, which is not installed"
    );
}

#[test]
fn the_swagger_we_write_is_the_one_ibm_wrote() {
    for (sar, aar) in [
        ("CSacccre.sar", "creacc.aar"),
        ("CSaccenq.sar", "inqaccz.aar"),
        ("CScustacc.sar", "inqacccz.aar"),
    ] {
        let Some(api) = plan(sar, aar) else { return };
        let ours = transom_apidef::openapi::generate(&api);
        assert_eq!(Some(&ours), api.swagger.as_ref(), "{aar}");
    }
}

#[test]
fn openapi_says_what_is_accepted() {
    let Some(api) = plan("CSaccenq.sar", "inqaccz.aar") else {
        return;
    };
    let document = transom_apidef::openapi::openapi(&api, &["https://host:2223/"]);
    assert_eq!(document["servers"][0]["url"], "https://host:2223/inqaccz");
    let get = &document["paths"]["/enquiry/{accno}"]["get"];
    let expected = serde_json::json!({"minimum": 0, "maximum": 99_999_999, "type": "integer"});
    assert_eq!(get["parameters"][0]["schema"], expected);
    assert!(get.get("requestBody").is_none());
    assert_eq!(
        get["responses"]["200"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/getCSaccenq_response_200"
    );
    assert!(get["responses"]["default"].is_object());
    let swagger = transom_apidef::openapi::swagger(&api, Some("host:2222"), &["http"]);
    assert_eq!(
        (swagger["host"].as_str(), swagger["schemes"][0].as_str()),
        (Some("host:2222"), Some("http"))
    );
}
