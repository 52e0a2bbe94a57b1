//! Any bytes from a peer, in any packets: server and client go on or close, and what they send
//! stays small.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_datastream::tn3270e::RejectReason;
use transom_datastream::{Client, ClientOptions, Server, ServerEvent, ServerOptions, StartTls};

fuzz_target!(|input: (bool, bool, Vec<Vec<u8>>)| {
    let (environment, start_tls, packets) = input;
    let mut server = Server::new(ServerOptions {
        environment,
        start_tls: if start_tls { StartTls::Offer } else { StartTls::No },
        ..ServerOptions::default()
    });
    let mut client = Client::new(ClientOptions {
        start_tls,
        lu: environment.then(|| "LU1".to_owned()),
        ..ClientOptions::default()
    });
    for packet in &packets {
        let mut events = Vec::new();
        assert!(server.feed(packet, &mut events) <= packet.len());
        for event in std::mem::take(&mut events) {
            match event {
                ServerEvent::Device(_) if packet.len() % 3 == 0 => {
                    server.reject_device(RejectReason::DeviceInUse, &mut events);
                }
                ServerEvent::Device(_) => server.accept_device("LU1", &mut events),
                ServerEvent::StartTls => server.tls_started(),
                _ => {}
            }
        }
        // An answer per three bytes of input, none of them long.
        assert!(server.output().len() <= 64 * (packet.len() + 2));
        server.send(packet, 2);
        server.output().clear();
        let mut events = Vec::new();
        client.feed(packet, &mut events);
        client.send(packet);
        client.output().clear();
    }
});
