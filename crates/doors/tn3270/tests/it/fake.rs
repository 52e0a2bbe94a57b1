//! A region that is only a desk, a door in front of it, and a small client.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_copybook::codepage::CodePage;
use transom_datastream::inbound::{self, Inbound};
use transom_datastream::tn3270e::{self, Bind, Functions, RESPONSE_ALWAYS, RejectReason};
use transom_datastream::{
    Client, ClientEvent, ClientOptions, FieldAttribute, Outbound, ScreenSize, Wcc, WriteCommand,
};
use transom_region_api::{
    Attention, Delivery, Logon, LogonRefused, Outcome, Seat, SeatRefused, Session, TerminalOutput,
    Terminals,
};
use transom_tcpip::{Tls, create_self_signed};
use transom_tn3270::{Tn3270, Tn3270Config};
use transom_types::TermId;

const PATIENCE: Duration = Duration::from_secs(10);

fn ebcdic(text: &str) -> Vec<u8> {
    CodePage::by_ccsid(37).unwrap().encode(text).0
}

fn ascii(bytes: &[u8]) -> String {
    CodePage::by_ccsid(37).unwrap().decode(bytes)
}

/// What happened at the desk.
#[derive(Default)]
pub(crate) struct State {
    outputs: HashMap<TermId, Arc<dyn TerminalOutput>>,
    pub(crate) logons: Vec<Logon>,
    pub(crate) attentions: Vec<Attention>,
    pub(crate) logoffs: usize,
    refuse: Option<String>,
    seats: HashMap<String, SeatRefused>,
}

/// A region.
#[derive(Default)]
pub(crate) struct Desk(Mutex<State>);

impl Desk {
    pub(crate) fn logons(&self) -> Vec<Logon> {
        self.0.lock().unwrap().logons.clone()
    }

    pub(crate) fn attentions(&self) -> Vec<Attention> {
        self.0.lock().unwrap().attentions.clone()
    }

    pub(crate) fn wait(&self, what: impl Fn(&State) -> bool) {
        let begin = Instant::now();
        while !what(&self.0.lock().unwrap()) {
            assert!(begin.elapsed() < PATIENCE, "it never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Seats that are refused by name.
    pub(crate) fn refuse_seat(&self, name: &str, why: SeatRefused) {
        self.0.lock().unwrap().seats.insert(name.to_owned(), why);
    }

    /// Sends something that is to be confirmed.
    pub(crate) fn deliver(&self, terminal: TermId, delivery: Delivery) -> Receiver<Outcome> {
        // A client may be through with the negotiation before the door has logged it on.
        self.wait(|state| state.outputs.contains_key(&terminal));
        let output = self.0.lock().unwrap().outputs[&terminal].clone();
        #[expect(clippy::disallowed_methods, reason = "a test ends by itself")]
        let (tell, told) = channel();
        let done = Box::new(move |outcome| {
            let _gone = tell.send(outcome);
        });
        assert!(output.confirmed().unwrap().deliver(delivery, done));
        told
    }

    /// Ends the session.
    pub(crate) fn disconnect(&self, terminal: TermId) {
        self.0.lock().unwrap().outputs[&terminal].disconnect();
    }

    /// Writes until the door refuses, then ends the session as a region does.
    pub(crate) fn flood(&self, terminal: TermId) {
        let output = self.0.lock().unwrap().outputs[&terminal].clone();
        let begin = Instant::now();
        while output.write(screen(&"x".repeat(1_900))) {
            assert!(begin.elapsed() < PATIENCE, "everything is taken");
        }
        output.disconnect();
    }
}

fn screen(text: &str) -> Vec<u8> {
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, ScreenSize::MODEL_2);
    out.set_buffer_address(0)
        .start_field(FieldAttribute::default().with_protected(true))
        .text(&ebcdic(text))
        .set_buffer_address(160)
        .start_field(FieldAttribute::default())
        .insert_cursor();
    out.into_bytes()
}

impl Terminals for Desk {
    fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        let mut state = self.0.lock().unwrap();
        if let Some(text) = state.refuse.clone() {
            let in_use = false;
            return Err(LogonRefused { in_use, text });
        }
        let netname = logon.netname.clone().unwrap();
        let terminal = TermId::from_field(&netname.as_bytes()[netname.len() - 4..]);
        output.write(screen("welcome"));
        state.outputs.insert(terminal, output);
        state.logons.push(logon);
        Ok(Session {
            terminal,
            netname,
            scs: false,
        })
    }

    fn seat(&self, seat: Seat<'_>, _printer: bool) -> Result<Option<String>, SeatRefused> {
        let (Seat::Named(name) | Seat::PrinterOf(name)) = seat else {
            return Ok(None);
        };
        match self.0.lock().unwrap().seats.get(name) {
            Some(why) => Err(*why),
            None => Ok(matches!(seat, Seat::Named(_)).then(|| name.to_owned())),
        }
    }

    fn input(&self, terminal: TermId, record: Vec<u8>) {
        let state = self.0.lock().unwrap();
        if let Ok(Inbound::Read(read)) = inbound::parse(&record, ScreenSize::MODEL_2) {
            let typed: Vec<String> = read
                .fields()
                .iter()
                .map(|f| ascii(&f.characters.text()))
                .collect();
            state.outputs[&terminal].write(screen(&format!("got {}", typed.join("|"))));
        }
    }

    fn attention(&self, _: TermId, attention: Attention) {
        self.0.lock().unwrap().attentions.push(attention);
    }

    fn logoff(&self, _: TermId) {
        self.0.lock().unwrap().logoffs += 1;
    }
}

/// A door on a free port with a thread of its own.
pub(crate) struct Door {
    pub(crate) desk: Arc<Desk>,
    pub(crate) address: SocketAddr,
    door: Tn3270,
    _runtime: tokio::runtime::Runtime,
}

impl Door {
    pub(crate) fn plain() -> Self {
        Self::with(Desk::default(), |_| ())
    }

    pub(crate) fn refusing(text: &str) -> Self {
        let desk = Desk::default();
        desk.0.lock().unwrap().refuse = Some(text.to_owned());
        Self::with(desk, |_| ())
    }

    pub(crate) fn tls(on_demand: bool) -> Self {
        let file = std::env::temp_dir().join(format!(
            "transom-tn3270-{}-{on_demand}.pem",
            std::process::id()
        ));
        let _ = std::fs::remove_file(&file);
        create_self_signed(&file, &["localhost", "127.0.0.1"]).unwrap();
        let tls = Tls::from_pem_files(std::slice::from_ref(&file)).unwrap();
        std::fs::remove_file(&file).unwrap();
        Self::with(Desk::default(), |config| {
            config.tls = Some(tls);
            config.settings.start_tls = on_demand;
        })
    }

    pub(crate) fn changed(change: impl FnOnce(&mut Tn3270Config)) -> Self {
        Self::with(Desk::default(), change)
    }

    fn with(desk: Desk, change: impl FnOnce(&mut Tn3270Config)) -> Self {
        let desk = Arc::new(desk);
        let mut config = Tn3270Config::new("127.0.0.1:0".parse().unwrap(), "CICSTEST");
        config.write_time = Duration::from_millis(500);
        change(&mut config);
        let door = Tn3270::bind(config, desk.clone()).unwrap_or_else(|e| panic!("{e}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        runtime.spawn(door.clone().serve());
        Self {
            desk,
            address: door.address(),
            door,
            _runtime: runtime,
        }
    }

    pub(crate) fn host(&self, prefix: &str) -> String {
        format!("{prefix}127.0.0.1:{}", self.address.port())
    }

    pub(crate) fn open(&self) -> usize {
        self.door.open()
    }

    pub(crate) fn wait_open(&self, sessions: usize) {
        let begin = Instant::now();
        while self.open() > sessions {
            assert!(begin.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A TN3270E client that is connected.
    pub(crate) fn client(&self, lu: Option<&str>) -> Terminal {
        Terminal::connect(self.address, "IBM-3278-2", lu)
    }

    /// A TN3270E printer that is connected.
    pub(crate) fn printer(&self, lu: Option<&str>) -> Terminal {
        Terminal::connect(self.address, "IBM-3287-1", lu)
    }
}

/// A client without a screen.
pub(crate) struct Terminal {
    stream: TcpStream,
    client: Client,
    pub(crate) lu: String,
    pub(crate) rejected: usize,
    pub(crate) why: Option<RejectReason>,
    pub(crate) bind: Option<Bind>,
    /// Print jobs that were ended.
    pub(crate) jobs: usize,
    /// Records that want a response, with their numbers.
    pub(crate) asked: Vec<(u16, Vec<u8>)>,
    text: String,
    ended: bool,
}

impl Terminal {
    fn connect(address: SocketAddr, device: &str, lu: Option<&str>) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_millis(50)))
            .unwrap();
        let options = ClientOptions {
            types: vec![device.into()],
            lu: lu.map(str::to_owned),
            functions: Functions::PRINTER,
            ..ClientOptions::default()
        };
        let mut terminal = Self {
            stream,
            client: Client::new(options),
            lu: String::new(),
            rejected: 0,
            why: None,
            bind: None,
            jobs: 0,
            asked: Vec::new(),
            text: String::new(),
            ended: false,
        };
        let begin = Instant::now();
        while !terminal.client.is_connected() && terminal.rejected == 0 {
            assert!(begin.elapsed() < PATIENCE, "no session");
            terminal.turn();
        }
        terminal
    }

    fn turn(&mut self) {
        let out = std::mem::take(self.client.output());
        let _ = self.stream.write_all(&out);
        let mut buffer = [0; 4096];
        let n = match self.stream.read(&mut buffer) {
            Ok(0) => {
                self.ended = true;
                return;
            }
            Ok(n) => n,
            Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset => {
                self.ended = true;
                return;
            }
            Err(_) => return,
        };
        let mut events = Vec::new();
        self.client.feed(&buffer[..n], &mut events);
        for event in events {
            match event {
                ClientEvent::Connected { lu, .. } => self.lu = lu,
                ClientEvent::Rejected(why) => {
                    self.rejected += 1;
                    self.why = Some(why);
                }
                ClientEvent::Data {
                    stream,
                    response,
                    sequence,
                } => {
                    self.text += &ascii(&stream);
                    if response == RESPONSE_ALWAYS {
                        self.asked.push((sequence, stream));
                    }
                }
                ClientEvent::Bind(bind) => self.bind = Some(bind),
                ClientEvent::EndOfJob => self.jobs += 1,
                _ => {}
            }
        }
        let out = std::mem::take(self.client.output());
        let _ = self.stream.write_all(&out);
    }

    /// Turns until something is true.
    pub(crate) fn wait(&mut self, what: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !what(self) {
            assert!(begin.elapsed() < PATIENCE && !self.ended, "it never came");
            self.turn();
        }
    }

    pub(crate) fn respond(&mut self, sequence: u16, outcome: tn3270e::Outcome) {
        self.client.respond(sequence, outcome);
        self.turn();
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let _sent = self.stream.write_all(bytes);
        self.turn();
    }

    pub(crate) fn attention(&mut self) {
        self.client.attention();
        self.turn();
    }

    pub(crate) fn system_request(&mut self) {
        self.client.system_request();
        self.turn();
    }

    pub(crate) fn terminal(&self) -> TermId {
        TermId::from_field(&self.lu.as_bytes()[self.lu.len() - 4..])
    }

    pub(crate) fn wait_text(&mut self, text: &str) -> String {
        let begin = Instant::now();
        while !self.text.contains(text) {
            assert!(begin.elapsed() < PATIENCE && !self.ended, "{:?}", self.text);
            self.turn();
        }
        self.text.clone()
    }

    pub(crate) fn wait_end(&mut self) {
        let begin = Instant::now();
        while !self.ended {
            assert!(begin.elapsed() < PATIENCE, "the session stays");
            self.turn();
        }
    }
}
