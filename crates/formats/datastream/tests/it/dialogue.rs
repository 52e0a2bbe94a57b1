//! Server and client against each other and against scripts of bytes.

use transom_datastream::telnet::{CloseReason, EOR, IAC};
use transom_datastream::tn3270e::{Bind, Functions, Outcome, RESPONSE_ALWAYS, RejectReason};
use transom_datastream::{
    Client, ClientEvent, ClientOptions, Connected, LuRequest, ScreenSize, Server, ServerEvent,
    ServerOptions, StartTls,
};

/// Both ends with a wire between them.
struct Pair {
    server: Server,
    client: Client,
    server_events: Vec<ServerEvent>,
    client_events: Vec<ClientEvent>,
    /// LUs given, in order of requests; `None` rejects.
    lus: Vec<Option<&'static str>>,
}

impl Pair {
    fn new(server: ServerOptions, client: ClientOptions) -> Self {
        Self {
            server: Server::new(server),
            client: Client::new(client),
            server_events: Vec::new(),
            client_events: Vec::new(),
            lus: Vec::new(),
        }
    }

    /// Carries bytes until both are silent.
    fn run(&mut self) {
        for _ in 0..100 {
            let to_client = std::mem::take(self.server.output());
            self.client.feed(&to_client, &mut self.client_events);
            let to_server = std::mem::take(self.client.output());
            let before = self.server_events.len();
            self.server.feed(&to_server, &mut self.server_events);
            let requests = self.server_events[before..].iter();
            for _ in 0..requests
                .filter(|e| matches!(e, ServerEvent::Device(_)))
                .count()
            {
                let lu = if self.lus.is_empty() {
                    Some("LU000001")
                } else {
                    self.lus.remove(0)
                };
                match lu {
                    Some(lu) => self.server.accept_device(lu, &mut self.server_events),
                    None => self
                        .server
                        .reject_device(RejectReason::DeviceInUse, &mut self.server_events),
                }
            }
            if to_client.is_empty() && to_server.is_empty() {
                return;
            }
        }
        panic!("they never stop talking");
    }

    fn connected(&self) -> &Connected {
        self.server
            .session()
            .unwrap_or_else(|| panic!("not ready: {:?}", self.server_events))
    }
}

#[test]
fn tn3270e_with_all_functions() {
    let mut pair = Pair::new(ServerOptions::default(), ClientOptions::default());
    pair.run();
    let connected = pair.connected();
    assert_eq!(connected.device.name, "IBM-3278-2-E");
    assert_eq!(
        (connected.lu.as_str(), connected.functions),
        ("LU000001", Functions::DISPLAY)
    );
    let expected = ClientEvent::Connected {
        tn3270e: true,
        lu: "LU000001".into(),
        functions: Functions::DISPLAY,
    };
    assert_eq!(pair.client_events, [expected]);

    let bind = Bind {
        default: ScreenSize::MODEL_2,
        alternate: Some(ScreenSize::MODEL_2),
        plu_name: "CICSA01".into(),
        printer: false,
        scs: false,
    };
    assert!(pair.server.send_bind(&bind));
    assert_eq!(
        pair.server.send(&[0xF1, 0xC3, 0xFF], RESPONSE_ALWAYS),
        Some(1)
    );
    pair.client_events.clear();
    pair.run();
    let data = ClientEvent::Data {
        stream: vec![0xF1, 0xC3, 0xFF],
        response: RESPONSE_ALWAYS,
        sequence: 1,
    };
    assert_eq!(pair.client_events, [ClientEvent::Bind(bind), data]);

    pair.server_events.clear();
    pair.client.respond(1, Outcome::Done);
    pair.client.respond(2, Outcome::CommandReject);
    pair.client.send(&[0x7D, 0x40, 0x40]);
    pair.client.attention();
    pair.client.system_request();
    pair.client.send_sscp_lu(&[0xD3]);
    pair.run();
    let expected = [
        ServerEvent::Response {
            sequence: 1,
            outcome: Outcome::Done,
        },
        ServerEvent::Response {
            sequence: 2,
            outcome: Outcome::CommandReject,
        },
        ServerEvent::Data(vec![0x7D, 0x40, 0x40]),
        ServerEvent::Attention,
        ServerEvent::SysReq,
        ServerEvent::SscpLu(vec![0xD3]),
    ];
    assert_eq!(pair.server_events, expected);
}

#[test]
fn functions_that_are_not_granted_are_dropped() {
    let options = ServerOptions {
        functions: Functions::RESPONSES,
        ..ServerOptions::default()
    };
    let mut pair = Pair::new(options, ClientOptions::default());
    pair.run();
    assert_eq!(pair.connected().functions, Functions::RESPONSES);
    assert!(!pair.server.send_unbind(1), "BIND-IMAGE was not agreed");
}

#[test]
fn contention_resolution_is_refused() {
    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    server.output().clear();
    server.feed(
        b"\xFF\xFB\x28\xFF\xFA\x28\x02\x07IBM-3278-4-E\xFF\xF0",
        &mut events,
    );
    server.accept_device("LU1", &mut events);
    server.output().clear();
    server.feed(b"\xFF\xFA\x28\x03\x07\x00\x02\x04\x05\xFF\xF0", &mut events);
    assert_eq!(
        *server.output(),
        b"\xFF\xFA\x28\x03\x07\x00\x02\x04\xFF\xF0"
    );
    assert!(server.session().is_none());
    server.feed(b"\xFF\xFA\x28\x03\x04\x00\x02\x04\xFF\xF0", &mut events);
    assert!(
        server
            .session()
            .is_some_and(|s| s.functions == Functions::DISPLAY)
    );
}

#[test]
fn a_client_without_tn3270e_is_basic() {
    let client = ClientOptions {
        types: vec!["IBM-3279-4-E".into()],
        lu: Some("TERM01".into()),
        tn3270e: false,
        ..ClientOptions::default()
    };
    let mut pair = Pair::new(ServerOptions::default(), client);
    pair.run();
    assert!(!pair.connected().tn3270e && pair.connected().device.colour);
    let request = pair.server_events.iter().find_map(|event| match event {
        ServerEvent::Device(request) => Some(request.lu.clone()),
        _ => None,
    });
    assert_eq!(request, Some(LuRequest::Connect("TERM01".into())));
    assert_eq!(pair.server.send(&[0xF5, 0xC3], RESPONSE_ALWAYS), Some(0));
    pair.server_events.clear();
    pair.client.attention();
    pair.client.system_request();
    pair.run();
    let test_request = ServerEvent::Data(vec![0x01, 0x6C, 0x61, 0x02]);
    assert_eq!(pair.server_events, [ServerEvent::Attention, test_request]);
    assert!(matches!(
        pair.client_events.last(),
        Some(ClientEvent::Data { .. })
    ));
}

#[test]
fn a_rejected_lu_falls_back_to_basic() {
    let client = ClientOptions {
        lu: Some("TAKEN".into()),
        ..ClientOptions::default()
    };
    let mut pair = Pair::new(ServerOptions::default(), client);
    pair.lus = vec![None, Some("FREE")];
    pair.run();
    assert!(
        pair.client_events
            .contains(&ClientEvent::Rejected(RejectReason::DeviceInUse))
    );
    assert_eq!(
        (pair.connected().lu.as_str(), pair.connected().tn3270e),
        ("FREE", false)
    );
}

#[test]
fn rejects_without_asking_the_door() {
    for (request, reason) in [
        (&b"VT100"[..], RejectReason::InvDeviceType),
        (
            b"IBM-3278-2\x01THIS-NAME-IS-TOO-LONG",
            RejectReason::InvName,
        ),
        (b"IBM-3278-2\x00PRT1", RejectReason::InvAssociate),
    ] {
        let mut server = Server::new(ServerOptions::default());
        let mut events = Vec::new();
        let bytes = [
            &b"\xFF\xFB\x28\xFF\xFA\x28\x02\x07"[..],
            request,
            b"\xFF\xF0",
        ]
        .concat();
        server.feed(&bytes, &mut events);
        let answer = [0xFF, 0xFA, 0x28, 0x02, 0x06, 0x05, reason as u8, 0xFF, 0xF0];
        assert!(server.output().ends_with(&answer), "{reason:?}");
        assert!(events.is_empty());
    }
}

#[test]
fn a_printer_associates_with_its_terminal() {
    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    server.feed(
        b"\xFF\xFB\x28\xFF\xFA\x28\x02\x07IBM-3287-1\x00TERM01\xFF\xF0",
        &mut events,
    );
    let [ServerEvent::Device(request)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(request.device.is_printer());
    assert_eq!(request.lu, LuRequest::Associate("TERM01".into()));
    server.accept_device("PRT1", &mut events);
    server.feed(b"\xFF\xFA\x28\x03\x07\x01\x02\x03\xFF\xF0", &mut events);
    assert!(server.send_scs(&[0x15], RESPONSE_ALWAYS).is_some() && server.send_end_of_job());
}

#[test]
fn a_plain_telnet_client_is_told_apart() {
    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    server.feed(
        b"\xFF\xFC\x28\xFF\xFB\x18\xFF\xFA\x18\x00XTERM\xFF\xF0",
        &mut events,
    );
    server.feed(b"\xFF\xFA\x18\x00XTERM\xFF\xF0hello\r\n", &mut events);
    let types = vec!["XTERM".to_owned(), "XTERM".to_owned()];
    let text = ServerEvent::Text(b"hello\r\n".to_vec());
    assert_eq!(events, [ServerEvent::NotA3270(types), text]);

    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    server.feed(b"\xFF\xFC\x28\xFF\xFC\x18", &mut events);
    assert_eq!(events, [ServerEvent::NotA3270(vec![])]);
}

#[test]
fn terminal_types_are_cycled_until_one_is_a_3270() {
    let client = ClientOptions {
        types: vec!["VT220".into(), "IBM-3278-9".into(), "IBM-3278-3".into()],
        tn3270e: false,
        ..ClientOptions::default()
    };
    let mut pair = Pair::new(ServerOptions::default(), client);
    pair.run();
    assert_eq!(pair.connected().device.name, "IBM-3278-3");
    assert!(!pair.connected().device.extended);
}

#[test]
fn tls_comes_first_when_both_want_it() {
    let server = ServerOptions {
        start_tls: StartTls::Require,
        ..ServerOptions::default()
    };
    let client = ClientOptions {
        start_tls: true,
        ..ClientOptions::default()
    };
    let mut pair = Pair::new(server, client);
    pair.run();
    assert_eq!(pair.server_events, [ServerEvent::StartTls]);
    assert_eq!(pair.client_events, [ClientEvent::StartTls]);
    pair.server.tls_started();
    pair.client.tls_started();
    pair.run();
    assert!(pair.connected().tn3270e);

    let mut pair = Pair::new(server, ClientOptions::default());
    pair.run();
    assert_eq!(
        pair.server_events,
        [ServerEvent::Closed(CloseReason::TlsRefused)]
    );

    let offer = ServerOptions {
        start_tls: StartTls::Offer,
        ..server
    };
    let mut pair = Pair::new(offer, ClientOptions::default());
    pair.run();
    assert!(pair.connected().tn3270e);
}

#[test]
fn bytes_behind_follows_belong_to_tls() {
    let options = ServerOptions {
        start_tls: StartTls::Offer,
        ..ServerOptions::default()
    };
    let mut server = Server::new(options);
    let mut events = Vec::new();
    let input = b"\xFF\xFB\x2E\xFF\xFA\x2E\x01\xFF\xF0\x16\x03\x01";
    assert_eq!(server.feed(input, &mut events), 9);
    assert_eq!(events, [ServerEvent::StartTls]);
}

#[test]
fn environment_variables_are_told() {
    let server = ServerOptions {
        environment: true,
        ..ServerOptions::default()
    };
    let client = ClientOptions {
        environment: vec![
            ("USER".into(), "maria".into()),
            ("DEVNAME".into(), "T1".into()),
        ],
        ..ClientOptions::default()
    };
    let mut pair = Pair::new(server, client.clone());
    pair.run();
    assert!(
        pair.server_events
            .contains(&ServerEvent::Environment(client.environment))
    );
    assert!(pair.connected().tn3270e);
}

#[test]
fn wont_tn3270e_renegotiates_as_basic() {
    let mut pair = Pair::new(ServerOptions::default(), ClientOptions::default());
    pair.run();
    pair.server_events.clear();
    pair.server
        .feed(b"\xFF\xFC\x28\xFF\xFB\x18", &mut pair.server_events);
    assert_eq!(pair.server_events, [ServerEvent::Renegotiating]);
    assert!(pair.server.session().is_none());
    let asked = [IAC, 0xFA, 24, 1, IAC, 0xF0];
    assert!(
        pair.server.output().ends_with(&asked),
        "{:02X?}",
        pair.server.output()
    );
}

#[test]
fn a_storm_of_options_ends_the_session() {
    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    for _ in 0..200 {
        server.feed(b"\xFF\xFB\x19\xFF\xFC\x19", &mut events);
        server.output().clear();
    }
    assert_eq!(events, [ServerEvent::Closed(CloseReason::NegotiationStorm)]);
}

#[test]
fn devices_refused_again_and_again_end_the_session() {
    let mut server = Server::new(ServerOptions::default());
    let mut events = Vec::new();
    server.feed(b"\xFF\xFB\x28", &mut events);
    for _ in 0..40 {
        server.feed(b"\xFF\xFA\x28\x02\x07IBM-3278-2\xFF\xF0", &mut events);
        server.reject_device(RejectReason::DeviceInUse, &mut events);
    }
    assert_eq!(
        events.last(),
        Some(&ServerEvent::Closed(CloseReason::DeviceRefused))
    );
}

#[test]
fn signs_of_life() {
    let mut pair = Pair::new(ServerOptions::default(), ClientOptions::default());
    pair.run();
    pair.server_events.clear();
    pair.server.keep_alive();
    pair.server.ask_alive();
    pair.run();
    assert_eq!(pair.server_events, [ServerEvent::Alive]);
    pair.server
        .feed(&[0xFF, 0xFD, 0x06], &mut pair.server_events);
    assert_eq!(*pair.server.output(), [0xFF, 0xFB, 0x06]);
}

#[test]
fn short_records_are_reported_and_dropped() {
    let mut pair = Pair::new(ServerOptions::default(), ClientOptions::default());
    pair.run();
    pair.server_events.clear();
    pair.server
        .feed(&[0, 0, IAC, EOR, IAC, EOR], &mut pair.server_events);
    assert_eq!(pair.server_events, [ServerEvent::BadRecord(2)]);
}
