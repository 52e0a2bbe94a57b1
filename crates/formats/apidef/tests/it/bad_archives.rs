//! Archives nobody should trust: cut short, swollen, climbing out, altered at random. None may
//! crash or half succeed.

use crate::fixtures::outside;
use std::io::{Cursor, Write};
use transom_apidef::aar::ApiArchive;
use transom_apidef::archive::{Archive, MEMBERS_MAX};
use transom_apidef::plan::ServicePlan;
use transom_apidef::sar::{Carrier, ServiceArchive};
use transom_copybook::shape::RecordFormat;

/// A small sound archive of each kind, made here so that these tests run everywhere.
fn own_service() -> Vec<u8> {
    let yaml = "name: s\nprogram: P\nrequest: {copybook: c}\n";
    let copybook = "       01  R.\n           05  N PIC 9(4).\n           05  T PIC X(8) OCCURS 1 TO 9 DEPENDING ON N.\n";
    let text = |_: &str| Some(copybook.to_owned());
    transom_apidef::toolkit::build_service("s.yml", yaml, text)
        .unwrap()
        .bytes
}

fn own_api() -> Vec<u8> {
    let plan = ServicePlan::new(
        &ServiceArchive::read("s.sar", &own_service()).unwrap(),
        &RecordFormat::region(),
    )
    .unwrap();
    let plan = std::sync::Arc::new(plan);
    let yaml = "name: a\nbasePath: /a\noperations:\n- {method: GET, path: '/x/{n}', service: s, request: {path: {n: R/N}}}\n";
    transom_apidef::toolkit::build_api("a.yml", yaml, |_| Some(plan.clone())).unwrap()
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![("own.sar", own_service()), ("own.aar", own_api())];
    for name in [
        "CSacccre.sar",
        "CScustacc.sar",
        "creacc.aar",
        "inqacccz.aar",
    ] {
        all.extend(outside(name).map(|bytes| (name, bytes)));
    }
    all
}

/// Reads an archive as far as it goes; true when it was accepted whole.
fn swallow(name: &str, bytes: &[u8]) -> bool {
    Archive::read(name, bytes).is_ok_and(|archive| swallow_members(&archive))
}

fn swallow_members(archive: &Archive) -> bool {
    if archive.name.ends_with(".aar") {
        return ApiArchive::from_archive(archive).is_ok();
    }
    match ServiceArchive::from_archive(archive) {
        Ok(service) => ServicePlan::new(&service, &RecordFormat::region()).is_ok(),
        Err(_) => false,
    }
}

#[test]
fn cut_short_at_every_97th_byte() {
    let mut cuts = 0;
    for (name, bytes) in samples() {
        assert!(swallow(name, &bytes), "{name}");
        for len in (0..bytes.len()).step_by(97) {
            let error = Archive::read(name, &bytes[..len]).unwrap_err();
            assert_eq!(error.id(), "TXMAD0001E", "{name} {len} {error:?}");
            assert_eq!(error.place.file, name);
            cuts += 1;
        }
    }
    assert!(cuts > 40);
}

#[test]
fn five_thousand_altered_archives_do_no_harm() {
    let samples = samples();
    // xorshift: the same bytes are altered on every machine.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 16).unwrap()
    };
    let mut accepted = 0;
    for round in 0..5000 {
        let (name, bytes) = &samples[round % samples.len()];
        let mut altered = bytes.clone();
        for _ in 0..=random() % 8 {
            let at = random() % altered.len();
            match random() % 4 {
                0 => altered[at] = random().to_le_bytes()[0],
                1 => altered[at] ^= 1 << (random() % 8),
                2 => altered.truncate(at.max(1)),
                _ => {
                    let from = random() % altered.len();
                    let piece = altered[from..(from + random() % 64).min(altered.len())].to_vec();
                    altered.splice(at..at, piece);
                }
            }
        }
        accepted += usize::from(swallow(name, &altered));
    }
    // Bytes outside of what is read may change without effect, checked ones may not.
    assert!(accepted < 2500, "{accepted}");
}

/// The members of an archive, altered as text: the zip is sound, what is inside is not.
#[test]
fn altered_members_do_no_harm() {
    let (mut tried, mut accepted) = (0, 0);
    let mut state = 12345u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize
    };
    let pieces: &[&[u8]] = &[
        b"",
        b"<",
        b">",
        b"\"",
        b"&#0;",
        b"\0",
        b"999999999999",
        b"-1",
        b"4294967295",
        b"{",
        b"]",
        b"<field>",
        b"\xff",
        b"../",
    ];
    for (name, bytes) in samples() {
        let archive = Archive::read(name, &bytes).unwrap();
        let members: Vec<String> = archive.names().map(str::to_owned).collect();
        for round in 0..300 {
            let mut altered = archive.clone();
            let member = &members[round % members.len()];
            let mut data = altered.get(member).unwrap().to_vec();
            for _ in 0..=random() % 3 {
                let at = random() % data.len();
                let end = (at + random() % 12).min(data.len());
                data.splice(at..end, pieces[random() % pieces.len()].iter().copied());
            }
            altered.put(member, data);
            tried += 1;
            accepted += usize::from(swallow_members(&altered));
        }
    }
    // Some changes are harmless, such as another digit in a description.
    assert!(accepted < tried, "{accepted} of {tried}");
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    zip_at(6, members)
}

fn zip_at(level: i64, members: &[(&str, &[u8])]) -> Vec<u8> {
    let options = zip::write::SimpleFileOptions::default().compression_level(Some(level));
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, data) in members {
        zip.start_file(*name, options).unwrap();
        zip.write_all(data).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn names_that_climb_out_or_come_twice() {
    for (members, expected) in [
        (
            &["../../etc/cron.d/x"][..],
            "TXMAD0002E x.sar: member name \"../../etc/cron.d/x\" leaves the archive",
        ),
        (
            &["files\\..\\..\\x"][..],
            "TXMAD0002E x.sar: member name \"files\\\\..\\\\..\\\\x\" leaves the archive",
        ),
        (
            &["/etc/passwd"][..],
            "TXMAD0002E x.sar: member name \"/etc/passwd\" is absolute",
        ),
        (
            &["C:\\x"][..],
            "TXMAD0002E x.sar: member name \"C:\\\\x\" is absolute",
        ),
        (
            &["a\\b", "a/b"][..],
            "TXMAD0002E x.sar!a/b: this member name comes twice",
        ),
    ] {
        let members: Vec<(&str, &[u8])> = members.iter().map(|n| (*n, &b"x"[..])).collect();
        assert_eq!(
            Archive::read("x.sar", &zip(&members))
                .unwrap_err()
                .id_first()
                .to_string(),
            expected
        );
    }
    // The same name twice in the directory: a reader that keeps either one is fooled.
    let mut twice = zip(&[("abcd1", b"x"), ("abcd2", b"y")]);
    while let Some(at) = twice.windows(5).position(|w| w == b"abcd2") {
        twice[at + 4] = b'1';
    }
    let error = Archive::read("x.sar", &twice).unwrap_err();
    assert_eq!(error.id(), "TXMAD0002E", "{error:?}");
}

#[test]
fn bombs_are_defused() {
    let zeros = vec![0u8; 4 * 1024 * 1024];
    let bomb = zip(&[("manifest.yml", &zeros)]);
    assert!(bomb.len() < 60_000, "{}", bomb.len());
    let error = Archive::read("b.sar", &bomb).unwrap_err();
    assert_eq!(
        (error.id(), error.place.file.as_str()),
        ("TXMAD0003E", "b.sar!manifest.yml")
    );
    let zeros = vec![0u8; 17 * 1024 * 1024];
    assert_eq!(
        Archive::read("b.sar", &zip_at(1, &[("a", &zeros)]))
            .unwrap_err()
            .id(),
        "TXMAD0003E"
    );
    let names: Vec<String> = (0..=MEMBERS_MAX).map(|i| format!("m{i}")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &b""[..])).collect();
    assert_eq!(
        Archive::read("b.sar", &zip(&many)).unwrap_err().id(),
        "TXMAD0003E"
    );
}

fn service_of(manifest: &str, si: &str) -> Result<ServiceArchive, transom_messages::Problem> {
    ServiceArchive::read(
        "t.sar",
        &zip(&[
            ("manifest.yml", manifest.as_bytes()),
            ("files/interfaces\\a.si", si.as_bytes()),
        ]),
    )
}

const MANIFEST: &str = "name: t\nprovider: CICS-1.0\nproviderProperties:\n- {propertyName: program, value: P}\n\
    - {propertyName: wvRequestInterfaceFile, value: 'files/interfaces\\a.si'}\n- {propertyName: wvResponseInterfaceFile, value: 'files/interfaces\\a.si'}\n";

#[test]
fn services_of_other_providers_are_read_and_refused_by_name() {
    for provider in ["restclient-1.0", "IBM_MQ", "imstm-1.0", "something-9"] {
        let service = service_of(&MANIFEST.replace("CICS-1.0", provider), "").unwrap();
        let problem = service.not_supported.clone().unwrap();
        assert_eq!(
            problem.id_first().to_string(),
            format!(
                "TXMAD0011E t.sar: service t has provider {provider}, which this gateway does not support"
            )
        );
        assert_eq!(
            ServicePlan::new(&service, &RecordFormat::region()).unwrap_err(),
            problem
        );
    }
}

fn si(field: &str) -> String {
    format!(
        "<message messageName='A' serviceType='CICS_COMM_AREA'><message><segment name='COMMAREA' originalName='COMMAREA'>\n{field}</segment></message></message>"
    )
}

#[test]
fn interfaces_that_contradict_themselves() {
    for (field, expected) in [
        (
            "<field name='A'><startPos>1</startPos><bytes>4</bytes><applicationDatatype datatype='BLOB'/></field>",
            "TXMAD0012E t.sar!files/interfaces/a.si:2:1: field A: datatype BLOB is not supported",
        ),
        (
            "<field name='A'><startPos>0</startPos><bytes>4</bytes></field>",
            "TXMAD0013E t.sar!files/interfaces/a.si:2:1: field A: startPos \"0\" makes no sense",
        ),
        (
            "<field name='A'><startPos>1</startPos><bytes>x</bytes></field>",
            "TXMAD0013E t.sar!files/interfaces/a.si:2:1: field A: bytes \"x\"",
        ),
        (
            "<field name='A'><startPos>1</startPos><bytes>4000000000</bytes><applicationDatatype datatype='CHAR'/></field>",
            "TXMAD0003E",
        ),
        (
            "<field name='A'><bytes>3</bytes><marshaller><typeConverter>PACKEDDECIMAL</typeConverter></marshaller><applicationDatatype datatype='DECIMAL' precision='9'/></field>",
            "TXMAD0012E t.sar!files/interfaces/a.si:2:1: field A: its digits need 5 bytes, the interface gives 3",
        ),
        (
            "<field name='A'><bytes>40</bytes><marshaller><typeConverter>ZONEDDECIMAL</typeConverter></marshaller><applicationDatatype datatype='DECIMAL' precision='40'/></field>",
            "TXMAD0012E",
        ),
        (
            "<field name='A' dependsOn='N' maxOccurs='3'><bytes>3</bytes><applicationDatatype datatype='CHAR'/></field>",
            "TXMAD0013E t.sar!files/interfaces/a.si:2:1: field A: it depends on N, which is no number before it",
        ),
        (
            "<field name='A' maxOccurs='4'><bytes>4</bytes><applicationDatatype datatype='ARRAY'/><field name='B'><bytes>2</bytes><applicationDatatype datatype='CHAR'/></field></field>",
            "TXMAD0013E t.sar!files/interfaces/a.si:2:1: field A: its items need 2 bytes, 1 are given for each of 4",
        ),
        (
            "<field name='A' defaultValue='0' isHex='true'><bytes>1</bytes><applicationDatatype datatype='CHAR'/></field>",
            "TXMAD0013E",
        ),
        ("<field", "TXMAD0005E t.sar!files/interfaces/a.si:2:17:"),
    ] {
        let error = service_of(MANIFEST, &si(field))
            .unwrap_err()
            .id_first()
            .to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let deep = format!(
        "{}{}",
        "<field name='A'>".repeat(100),
        "</field>".repeat(100)
    );
    assert_eq!(
        service_of(MANIFEST, &si(&deep)).unwrap_err().id(),
        "TXMAD0003E"
    );
}

#[test]
fn every_kind_the_interface_vocabulary_has() {
    let field = |name: &str, bytes: usize, marshaller: &str, datatype: &str| {
        format!(
            "<field name='{name}'><bytes>{bytes}</bytes>{marshaller}<applicationDatatype {datatype}/></field>"
        )
    };
    let text = [
        field("zoned", 4, "<marshaller isSigned='Y' isSignLeading='Y' isSignSeparate='Y'><typeConverter>ZONEDDECIMAL</typeConverter></marshaller>", "datatype='DECIMAL' precision='3' scale='1'"),
        field("packed", 3, "<marshaller isSigned='Y'><typeConverter>PACKEDDECIMAL</typeConverter></marshaller>", "datatype='DECIMAL' precision='5' scale='2'"),
        field("short", 2, "", "datatype='SHORT' precision='4'"),
        field("native", 4, "<marshaller isNativeInteger='Y'/>", "datatype='INT'"),
        field("long", 8, "<marshaller isSigned='N'/>", "datatype='LONG' precision='18'"),
        field("bin", 4, "<marshaller><typeConverter>BINARY</typeConverter></marshaller>", "datatype='DECIMAL' precision='6' scale='3'"),
        field("float", 4, "", "datatype='FLOAT'"),
        field("double", 8, "", "datatype='DOUBLE'"),
        field("wide", 6, "<marshaller encoding='UTF-16BE'/>", "datatype='CHAR'"),
        field("raw", 2, "", "datatype='BINARY'"),
        "<field name='tags' minOccurs='2' maxOccurs='2'><bytes>4</bytes>\
         <applicationDatatype datatype='ARRAY'/><field name='tags'><bytes>2</bytes><applicationDatatype datatype='CHAR'/></field></field>".to_owned(),
        "<field name='plain' defaultValue='x' codepageConversion='N'><bytes>2</bytes><applicationDatatype datatype='CHAR'/></field>".to_owned(),
    ]
    .concat();
    let service = service_of(MANIFEST, &si(&text)).unwrap();
    let plan = ServicePlan::new(&service, &RecordFormat::region()).unwrap();
    let body = br#"{"zoned":-12.3,"packed":-1.25,"short":-7,"native":258,"long":5,"bin":1.5,"float":1.5,"double":-2,"wide":"a\u20ac","raw":"C1FF","tags":["p","qq"]}"#;
    let mut record = Vec::new();
    plan.request.encode(body, &[], &mut record).unwrap();
    let expected: &[u8] = &[
        b'-', b'1', b'2', b'3', 0x00, 0x12, 0x5D, 0xFF, 0xF9, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5,
        0, 0, 5, 0xDC, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0, b'a', 0x20, 0xAC, 0, b' ',
        0xC1, 0xFF, b'p', b' ', b'q', b'q', b'x', b' ',
    ];
    assert_eq!(record, expected);
    let mut out = Vec::new();
    plan.response.decode(&record, &mut out).unwrap();
    let json = String::from_utf8(out).unwrap();
    assert!(
        json.starts_with(
            r#"{"zoned":-12.3,"packed":-1.25,"short":-7,"native":258,"long":5,"bin":1.500,"#
        ),
        "{json}"
    );
    assert!(
        json.ends_with(r#""raw":"C1FF","tags":["p","qq"],"plain":"x"}"#),
        "{json}"
    );
}

#[test]
fn a_channel_as_the_toolkit_describes_it() {
    let text = "<ns2:message xmlns:ns2='x' messageName='Channel' serviceType='CICS_CHANNEL'><message>\
        <segment id='1' name='' originalName='CA-REST' containerType='BIT' required='Y'><field name='IN' included='Y'><startPos>1</startPos><bytes>9</bytes>\
        <applicationDatatype datatype='STRUCT'/><field name='OP' included='N' defaultValue='D' isHex='false'><startPos>1</startPos><bytes>1</bytes><applicationDatatype datatype='CHAR'/></field>\
        <field name='IBAN' included='Y'><startPos>2</startPos><bytes>8</bytes><marshaller encoding='UTF-16BE'/><applicationDatatype datatype='CHAR'/></field></field></segment>\
        <segment id='2' name='second' originalName='CONT2' containerType='BIT' required='N'>\
        <field name='X'><startPos>1</startPos><bytes>2</bytes><applicationDatatype datatype='CHAR'/></field></segment>\
        </message></ns2:message>";
    let service = service_of(MANIFEST, text).unwrap();
    let Carrier::Channel { containers, .. } = &service.request.carrier else {
        panic!()
    };
    let places: Vec<(&str, usize, usize, bool)> = containers
        .iter()
        .map(|c| (c.name.as_str(), c.offset, c.bytes, c.required))
        .collect();
    assert_eq!(places, [("CA-REST", 0, 9, true), ("CONT2", 9, 2, false)]);
    let plan = ServicePlan::new(&service, &RecordFormat::region()).unwrap();
    let mut record = Vec::new();
    plan.request
        .encode(
            r#"{"tOperation":{"second":{"X":"no"},"CA-REST":{"IN":{"IBAN":"DE"}}}}"#.as_bytes(),
            &[],
            &mut record,
        )
        .unwrap();
    assert_eq!(record, b"D\0D\0E\0 \0 no");
    let mut out = Vec::new();
    plan.response.decode(&record, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        r#"{"tOperationResponse":{"CA-REST":{"IN":{"IBAN":"DE"}},"second":{"X":"no"}}}"#
    );
}

#[test]
fn several_included_arms_of_one_area() {
    let text = si(
        "<field name='D' originalName='D'><startPos>1</startPos><bytes>4</bytes><applicationDatatype datatype='CHAR'/></field>\
        <field name='N' originalName='N' redefines='D'><startPos>1</startPos><bytes>4</bytes>\
        <marshaller><typeConverter>ZONEDDECIMAL</typeConverter></marshaller>\
        <applicationDatatype datatype='DECIMAL' precision='4'/></field>",
    );
    let plan = ServicePlan::new(
        &service_of(MANIFEST, &text).unwrap(),
        &RecordFormat::region(),
    )
    .unwrap();
    for (body, bytes) in [(r#"{"N":12}"#, b"0012"), (r#"{"D":"0034"}"#, b"0034")] {
        let mut record = Vec::new();
        plan.request
            .encode(body.as_bytes(), &[], &mut record)
            .unwrap();
        assert_eq!(record, bytes);
    }
    let mut out = Vec::new();
    plan.response.decode(b"0056", &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"D":"0056","N":56}"#);
}

#[test]
fn members_that_are_malformed_or_missing_are_named() {
    let sound = Archive::read("s.sar", &own_service()).unwrap();
    for (member, data, expected) in [
        (
            "schemas/sRequest.json",
            "{\"type\": }",
            "TXMAD0007E s.sar!schemas/sRequest.json:1:10:",
        ),
        (
            "manifest.yml",
            "name: s\n- x\n",
            "TXMAD0006E s.sar!manifest.yml:2:",
        ),
        (
            "manifest.yml",
            "[]",
            "TXMAD0010E s.sar!manifest.yml: the manifest is not a mapping",
        ),
        (
            "manifest.yml",
            "name: s\nprovider: CICS-1.0\nproviderProperties: 7",
            "TXMAD0010E s.sar!manifest.yml: providerProperties is not a list",
        ),
        (
            "manifest.yml",
            "name: s\nprovider: CICS-1.0\nrequestSchema: {value: 'file:///no.json'}",
            "TXMAD0004E s.sar: the archive has no member no.json",
        ),
        (
            "files/service/s.xml",
            "<service>",
            "TXMAD0005E s.sar!files/service/s.xml:1:1: <service> is not closed",
        ),
        (
            "files/interfaces/sRequest.si",
            "<message/>",
            "TXMAD0013E s.sar!files/interfaces/sRequest.si:1:1: the interface has no segment",
        ),
    ] {
        let mut altered = sound.clone();
        altered.put(member, data);
        let error = ServiceArchive::from_archive(&altered)
            .unwrap_err()
            .id_first()
            .to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let sound = Archive::read("a.aar", &own_api()).unwrap();
    let folder = "api/x/{n}/GET";
    for (member, data, expected) in [
        (
            "package.xml".to_owned(),
            "<zosConnectApi id='a'/>",
            "TXMAD0020E a.aar!package.xml:1:1: there is no apiSpec element",
        ),
        (
            "package.xml".to_owned(),
            "<z id='a'><apiSpec basePath='/a'/></z>",
            "TXMAD0020E a.aar!package.xml:1:11: the API has no method",
        ),
        (
            "package.xml".to_owned(),
            "<z id='a'><apiSpec/></z>",
            "TXMAD0020E a.aar!package.xml:1:11: the API has no basePath",
        ),
        (
            "package.xml".to_owned(),
            "<z id='a'><apiSpec basePath='/a'><path relativePath='/b'><method type='GET'/></path></apiSpec></z>",
            "TXMAD0020E a.aar!package.xml:1:58: GET /b names no service",
        ),
        (
            "package.xml".to_owned(),
            "<z id='a'><apiSpec basePath='/a'><path relativePath='/{b'><method type='GET' zosConnectServiceRef='s'/></path></apiSpec></z>",
            "TXMAD0020E a.aar!package.xml:1:59: path /{b:",
        ),
        (
            "api-docs/swagger.json".to_owned(),
            "{",
            "TXMAD0007E a.aar!api-docs/swagger.json:1:1:",
        ),
        (
            format!("{folder}/mapping.xml"),
            "<m><responseMessages code='900'/></m>",
            "TXMAD0023E a.aar!api/x/{n}/GET/mapping.xml:1:4: \"900\" is no response code",
        ),
        (
            format!("{folder}/mapping.xml"),
            "<m><responseMessages code='404'/><responseMessages code='500'/></m>",
            "TXMAD0023E a.aar!api/x/{n}/GET/mapping.xml:1:4: response 404 has no rule",
        ),
        (
            format!("{folder}/mapping.xml"),
            "<m><requestMessage><mappingRootModel type='XSLT' location='x'/></requestMessage></m>",
            "TXMAD0021E a.aar!api/x/{n}/GET/mapping.xml:1:20: maps of type XSLT",
        ),
        (
            format!("{folder}/mapping.xml"),
            "<m><requestMessage><mappingRootModel type='MSL' location='x.map'/></requestMessage></m>",
            "TXMAD0004E a.aar: the archive has no member x.map",
        ),
    ] {
        let mut altered = sound.clone();
        altered.put(&member, data);
        let error = ApiArchive::from_archive(&altered)
            .unwrap_err()
            .id_first()
            .to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}
