//! The API archives IBM's toolkit built for its banking sample.

use crate::fixtures::outside;
use transom_apidef::aar::{ApiArchive, Place, Transform};

#[test]
fn enquiry_moves_the_path_parameter_into_the_request() {
    let Some(bytes) = outside("inqaccz.aar") else {
        return;
    };
    let api = ApiArchive::read("inqaccz.aar", &bytes).unwrap();
    assert_eq!(
        (
            api.name.as_str(),
            api.base_path.as_str(),
            api.version.as_str()
        ),
        ("inqaccz", "/inqaccz", "1.0.0")
    );
    assert!(api.notices.is_empty());
    let [operation] = api.operations.as_slice() else {
        panic!("{:?}", api.operations)
    };
    assert_eq!(
        (operation.method.as_str(), operation.path.as_str()),
        ("GET", "/enquiry/{accno}")
    );
    assert_eq!(
        (operation.service.as_str(), operation.operation_id.as_str()),
        ("CSaccenq", "getCSaccenq")
    );
    assert_eq!(operation.path_parameters(), ["accno"]);
    let [step] = operation.request.steps.as_slice() else {
        panic!()
    };
    let expected = Transform::Move {
        from: Place::Path("accno".into()),
        to: Place::Body("InqAcc/InqAccAccno".into()),
    };
    assert_eq!(step.transform, expected);
    let [response] = operation.responses.as_slice() else {
        panic!()
    };
    assert_eq!(
        (
            response.code,
            response.condition.is_none(),
            response.mapping.steps.len()
        ),
        (200, true, 0)
    );
    assert_eq!(
        api.swagger.unwrap()["paths"]["/enquiry/{accno}"]["get"]["operationId"],
        "getCSaccenq"
    );
}

#[test]
fn creation_passes_both_directions_through() {
    let Some(bytes) = outside("creacc.aar") else {
        return;
    };
    let api = ApiArchive::read("creacc.aar", &bytes).unwrap();
    let operation = &api.operations[0];
    assert_eq!(
        (operation.method.as_str(), operation.service.as_str()),
        ("POST", "CSacccre")
    );
    assert!(operation.request.steps.is_empty() && operation.responses[0].mapping.steps.is_empty());
    let Some(bytes) = outside("inqacccz.aar") else {
        return;
    };
    let api = ApiArchive::read("inqacccz.aar", &bytes).unwrap();
    assert_eq!(api.operations[0].path, "/list/{custno}");
}
