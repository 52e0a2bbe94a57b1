//! Bytes of the protocol, recorded with the executable before they were declared. That was version
//! 1; version 2 has another number and one more request, which names its client.
//!
//! Each exchange is played to both ends: the link server gets what clients sent then and answers as
//! it did, local adapters send the same and understand the answer. A change of these bytes is
//! another version of the protocol.

use crate::{Echo, request, run, serve, server_config};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use transom_intersystem::{AdaptersConfig, LocalAdapters, socket_path};
use transom_region_api::{
    Container, ContainerData, Control, LinkRequest, Payload, Programs, SetRequest, StartedBy,
};
use transom_types::{ChannelName, ContainerName, ProgramName, TransId};

/// A frame of the client and one of the link server.
type Exchange = (&'static [u8], &'static [u8]);

const HELLO: Exchange = (
    b"\x16\0\0\0\x01TXMI\x02\x000u\x00\x00\x07\0\0\0CICSREG",
    b"\x10\0\0\0\x01TXMI\x02\x00\x01\x01\0\0\0d\0\0\0",
);

/// Those of [`requests`].
const LINKS: &[Exchange] = &[
    (
        b".\0\0\0\x03ECHO        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b"\x19\0\0\0\x04\x01\0\0\0BBO#\x05\0\0\0\0\0\0\x00\x00\x03\0\0\0xxx",
    ),
    (
        b".\0\0\0\x03ABND        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b")\0\0\0\x05\x00ASRA\x02\0\0\0\x1b\0\0\0TXMAP0001E made by the test",
    ),
    (
        b".\0\0\0\x03NOPE        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b"+\0\0\0\x05\x01\x1b\x00\x03\0\0\0\x03\0\0\0\x1b\0\0\0TXMAP0001E made b\
          y the test",
    ),
    (
        b".\0\0\0\x03BUSY        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b"%\0\0\0\x05\x02\x04\0\0\0\x1b\0\0\0TXMAP0001E made by the test",
    ),
    (
        b".\0\0\0\x03LATE        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b"%\0\0\0\x05\x03\x05\0\0\0\x1b\0\0\0TXMAP0001E made by the test",
    ),
    (
        b".\0\0\0\x03GONE        FRED    \0\0\0\0\0\0\0\0\0\x80\x96\x98\0\0\0\0\0\
          \0\x03\0\0\0xxx",
        b"%\0\0\0\x05\x04\x06\0\0\0\x1b\0\0\0TXMAP0001E made by the test",
    ),
    (
        b"p\0\0\0\x03ECHO    PAY1        \x01\x00\x04\0\0\0\0\0\0\xff\xff\xff\xff\
          \xff\xff\xff\xff\x01CHAN            \x02\0\0\0A               \x00\x03\
          \0\0\0\x00\x01\xffB               \x013\x03\x00\x00\x04\0\0\0text",
        b"[\0\0\0\x04\x07\0\0\0PAY1\x05\0\0\0\0\0\0\x00\x01CHAN            \x02\0\
          \0\0A               \x00\x03\0\0\0\x00\x01\xffB               \x013\x03\
          \x00\x00\x04\0\0\0text",
    ),
    (
        b"+\0\0\0\x03ECHO        FRED    \x02\0\0\0\0\0\0\x00\x00\xdc\x05\0\0\0\0\
          \0\0\0\0\0\x00\x00",
        b"\x16\0\0\0\x04\x08\0\0\0BBO#\x05\0\0\0\0\0\0\0\0\0\0\0\0",
    ),
];

/// Those of [`QUESTIONS`].
const ANSWERS: &[Exchange] = &[
    (
        b"\x17\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x00",
        b"\x1e\0\0\0\x07ECHOAPPLECHO3\x03\x00\x00x\0\0\0\x03\0\0\0\x04\0\0\0\x01",
    ),
    (
        b"\x1f\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x01ECHO    ",
        b"\x15\0\0\0\x07\x01ECHO    \x01\x00\x01\0\0\0\x00\x00\x01\x00\x00",
    ),
    (
        b"\x1f\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x01NONE    ",
        b"\x02\0\0\0\x07\x00",
    ),
    (
        b"\x1b\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x02CSMI",
        b" \0\0\0\x07\x01CSMIDFHMIRS \x01\xc8DFHTCL01\x07\0\0\0\0\0\0\x00",
    ),
    (
        b"\x1b\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x02NONE",
        b"\x02\0\0\0\x07\x00",
    ),
    (
        b"\x17\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x03",
        b"-\0\0\0\x07\x01\0\0\0\n\0\0\0dispatcher\x01\0\0\0\n\0\0\0tasks_peak\t\0\
          \0\0\0\0\0\x00",
    ),
    (
        b" \0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x04PAY     \x01",
        b"1\0\0\0\x07&\0\0\0ProgramEnabled(ProgramName(PAY), true)\x1b\x00\x07\0\
          \0\0",
    ),
    (
        b"\x1f\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x05PAY     ",
        b"+\0\0\0\x07 \0\0\0ProgramNewCopy(ProgramName(PAY))\x1b\x00\x07\0\0\0",
    ),
    (
        b"\x1c\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x06PAY1\x00",
        b"3\0\0\0\x07(\0\0\0TransactionEnabled(TransId(PAY1), false)\x1b\x00\x07\
          \0\0\0",
    ),
    (
        b"\x1c\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x07PAY1\xc8",
        b"2\0\0\0\x07'\0\0\0TransactionPriority(TransId(PAY1), 200)\x1b\x00\x07\0\
          \0\0",
    ),
    (
        b"\x1b\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\x08(\0\0\0",
        b"\x05\0\0\0\x07\0\0\0\x00",
    ),
    (
        b"\x1c\0\0\0\x06TXMI\x02\0\0\0\x00\x00\x07\0\0\0CICSREG\t\xe8\x03\x00\x00\
          \x01",
        b",\0\0\0\x07!\0\0\0Purge { task: 1000, force: true }\x1b\x00\x07\0\0\0",
    ),
];

const QUESTIONS: &[fn(&dyn Control) -> String] = &[
    |region| format!("{:?}", region.info()),
    |region| format!("{:?}", region.program(ProgramName::from_field(b"ECHO"))),
    |region| format!("{:?}", region.program(ProgramName::from_field(b"NONE"))),
    |region| format!("{:?}", region.transaction(TransId::from_field(b"CSMI"))),
    |region| format!("{:?}", region.transaction(TransId::from_field(b"NONE"))),
    |region| format!("{:?}", region.statistics().unwrap()[0]),
    |region| {
        set(
            region,
            SetRequest::ProgramEnabled(ProgramName::from_field(b"PAY"), true),
        )
    },
    |region| {
        set(
            region,
            SetRequest::ProgramNewCopy(ProgramName::from_field(b"PAY")),
        )
    },
    |region| {
        set(
            region,
            SetRequest::TransactionEnabled(TransId::from_field(b"PAY1"), false),
        )
    },
    |region| {
        set(
            region,
            SetRequest::TransactionPriority(TransId::from_field(b"PAY1"), 200),
        )
    },
    |region| set(region, SetRequest::MaxTasks(40)),
    |region| {
        set(
            region,
            SetRequest::Purge {
                task: 1_000,
                force: true,
            },
        )
    },
];

fn set(region: &dyn Control, request: SetRequest) -> String {
    format!("{:?}", region.set(request))
}

fn requests() -> Vec<LinkRequest> {
    let containers = vec![
        Container {
            name: ContainerName::new("A").unwrap(),
            data: ContainerData::Bit(vec![0, 1, 0xFF]),
        },
        Container {
            name: ContainerName::new("B").unwrap(),
            data: ContainerData::Char {
                ccsid: 819,
                bytes: b"text".to_vec(),
            },
        },
    ];
    let name = ChannelName::new("CHAN").unwrap();
    let programs = ["ECHO", "ABND", "NOPE", "BUSY", "LATE", "GONE"];
    let mut all: Vec<_> = programs.map(|program| request(program, 3)).into();
    all.push(LinkRequest {
        transid: TransId::new("PAY1").ok(),
        userid: None,
        payload: Payload::Channel { name, containers },
        reply_bytes_max: 1_024,
        timeout: None,
        started_by: StartedBy::Region,
        ..request("ECHO", 0)
    });
    all.push(LinkRequest {
        started_by: StartedBy::Internal,
        timeout: Some(Duration::from_micros(1_500)),
        ..request("ECHO", 0)
    });
    all
}

fn same(found: &[u8], recorded: &[u8]) {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert_eq!(shown(found), shown(recorded));
}

/// The next frame.
fn frame(stream: &mut UnixStream) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    stream.read_exact(&mut bytes).unwrap();
    let length = u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    bytes.resize(4 + length, 0);
    stream.read_exact(&mut bytes[4..]).unwrap();
    bytes
}

#[test]
fn a_link_server_answers_what_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let socket = socket_path(dir.path(), "CICSREG");
    run(async {
        let (_server, _task) = serve(server_config(dir.path()), Arc::default());
        let client = tokio::task::spawn_blocking(move || {
            let mut stream = UnixStream::connect(&socket).unwrap();
            for (asked, answered) in [&[HELLO], LINKS].concat() {
                stream.write_all(asked).unwrap();
                same(&frame(&mut stream), answered);
            }
            for (asked, answered) in ANSWERS {
                let mut stream = UnixStream::connect(&socket).unwrap();
                stream.write_all(asked).unwrap();
                same(&frame(&mut stream), answered);
            }
        });
        client.await.unwrap();
    });
}

/// A link server that knows what was recorded and nothing else.
fn recorded_server(folder: &Path) -> std::thread::JoinHandle<()> {
    let listener = UnixListener::bind(socket_path(folder, "CICSREG")).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        for (asked, answered) in [&[HELLO], LINKS].concat() {
            same(&frame(&mut stream), asked);
            stream.write_all(answered).unwrap();
        }
        for (asked, answered) in ANSWERS {
            let (mut stream, _) = listener.accept().unwrap();
            same(&frame(&mut stream), asked);
            stream.write_all(answered).unwrap();
        }
    })
}

#[test]
fn local_adapters_send_what_was_recorded_and_understand_the_answers() {
    let dir = tempfile::tempdir().unwrap();
    let server = recorded_server(dir.path());
    run(async {
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        let region = Echo::default();
        assert_eq!(
            (LINKS.len(), ANSWERS.len()),
            (requests().len(), QUESTIONS.len())
        );
        for request in requests() {
            let told = adapters.link(request.clone()).await;
            // The link server's transaction.
            let transid = request.transid.or(TransId::new("BBO#").ok());
            let own = region.link(LinkRequest { transid, ..request }).await;
            assert_eq!(format!("{told:?}"), format!("{own:?}"));
        }
        let asking = tokio::task::spawn_blocking(move || {
            for question in QUESTIONS {
                assert_eq!(question(&adapters), question(&region));
            }
        });
        asking.await.unwrap();
    });
    server.join().unwrap();
}
