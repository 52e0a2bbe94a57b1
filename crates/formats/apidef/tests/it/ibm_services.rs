//! The service archives IBM's toolkit built for its banking sample.

use crate::fixtures::outside;
use transom_apidef::sar::{Carrier, Provider, ServiceArchive};
use transom_copybook::shape::{Count, Kind, Presence, Sign};

fn read(name: &str) -> Option<ServiceArchive> {
    Some(ServiceArchive::read(name, &outside(name)?).unwrap())
}

#[test]
fn account_creation() {
    let Some(service) = read("CSacccre.sar") else {
        return;
    };
    assert_eq!(service.name, "CSacccre");
    assert_eq!(service.provider, Provider::Cics);
    assert_eq!(service.program.unwrap().as_str(), "CREACC");
    assert_eq!(service.connection_ref.as_deref(), Some("cicsConn"));
    assert_eq!(service.ccsid, 37);
    assert_eq!(service.properties.len(), 15);
    assert!(service.notices.is_empty() && service.not_supported.is_none());
    assert!(
        service.conversion.trim_output_trailing_whitespace
            && !service.conversion.enforce_min_array_occurrence
    );
    assert_eq!(service.request.carrier, Carrier::Commarea);
    let shape = &service.request.shape;
    assert_eq!(shape.max_len, 100);
    let rate = shape.find("CreAcc/CommIntRt").unwrap();
    assert_eq!((rate.offset, rate.field.as_str()), (36, "COMM_INT_RT"));
    let Kind::Zoned(zoned) = &rate.kind else {
        panic!("{rate:?}")
    };
    assert_eq!((zoned.digits, zoned.scale, zoned.sign), (6, 2, Sign::None));
    let Kind::Zoned(balance) = &shape.find("CreAcc/CommAvailBal").unwrap().kind else {
        panic!()
    };
    assert_eq!(
        (balance.digits, balance.scale, balance.sign),
        (12, 2, Sign::Trailing)
    );
    assert_eq!(shape.find("CreAcc/CommKey/CommNumber").unwrap().offset, 20);
    // The other arm of the redefinition is not used and must not be there to overwrite the date.
    assert!(
        shape.find("CreAcc/CommOpened").is_some() && shape.find("CreAcc/CommOpenedGroup").is_none()
    );
}

#[test]
fn accounts_of_a_customer_depend_on_a_hidden_counter() {
    let Some(service) = read("CScustacc.sar") else {
        return;
    };
    let shape = &service.response.shape;
    assert_eq!(shape.max_len, 1981);
    assert_eq!(
        shape.find("InqAccZ/NUMBER_OF_ACCOUNTS").unwrap().presence,
        Presence::Hidden
    );
    let table = shape.find("InqAccZ/AccountDetails").unwrap();
    let Kind::Array(array) = &table.kind else {
        panic!("{table:?}")
    };
    assert_eq!(
        (table.offset, array.stride, array.min, array.max),
        (21, 98, 1, 20)
    );
    let Count::DependsOn(counter) = &array.count else {
        panic!("{array:?}")
    };
    assert_eq!(
        (counter.up, counter.offset, counter.field.as_str()),
        (0, 0, "NUMBER_OF_ACCOUNTS")
    );
    assert_eq!(
        shape
            .find("InqAccZ/AccountDetails/CommScode")
            .unwrap()
            .presence,
        Presence::Hidden
    );
    assert_eq!(
        shape
            .find("InqAccZ/AccountDetails/CommActualBal")
            .unwrap()
            .offset,
        86
    );
}

#[test]
fn shown_fields_are_those_of_the_archives_own_schema() {
    for name in ["CSacccre.sar", "CSaccenq.sar", "CScustacc.sar"] {
        let Some(service) = read(name) else { return };
        for (data, schema) in [
            (&service.request, &service.request_schema),
            (&service.response, &service.response_schema),
        ] {
            let mut shown = Vec::new();
            crate::fixtures::shown(&data.shape.root, "", &mut shown);
            let mut described = Vec::new();
            crate::fixtures::described(schema.as_ref().unwrap(), "", &mut described);
            assert_eq!(shown, described, "{name}");
        }
    }
}

#[test]
fn schemas_we_derive_equal_those_in_the_archive() {
    for name in ["CSacccre.sar", "CSaccenq.sar", "CScustacc.sar"] {
        let Some(service) = read(name) else { return };
        assert_eq!(
            Some(transom_apidef::schema::of_shape(&service.request.shape)),
            service.request_schema,
            "{name}"
        );
        assert_eq!(
            Some(transom_apidef::schema::of_shape(&service.response.shape)),
            service.response_schema,
            "{name}"
        );
    }
}
