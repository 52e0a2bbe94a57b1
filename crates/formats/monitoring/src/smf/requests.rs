//! Requests of the gateway as SMF 123 subtype 1 version 2, the records of an API provider.
//!
//! What: standard header, header extension, triplets, server section, and up to 20 request
//! sections of fixed fields. Values come by the names of the public record description, which the
//! lines of the audit interceptor have. Left out (zeros or blanks): response flags, whose bits no
//! public page that could be read says, sysplex, job id and STOKEN, service provider and SOR
//! identifier. Not here: files, lines (`tools/monitor`).

use super::values::{date, ebcdic, stck};
use transom_language::codec::Writer;

/// Requests that a record has room for.
pub const REQUESTS_MAX: usize = 20;

const FLAGS: u8 = 0b0101_1110;
const TYPE: u8 = 123;
const PROVIDER: u16 = 1;
const VERSION: u32 = 2;
const TRIPLETS_AT: usize = 40;
const TRIPLETS_BYTES: usize = 16;
const SERVER_BYTES: usize = 188;
const REQUEST_BYTES: usize = 1_560;

/// Which server writes, and when.
#[derive(Debug, Clone)]
pub struct Server {
    /// SMF id of the system, and its name.
    pub system: String,
    /// Job name: that of the region or gateway.
    pub job: String,
    /// Its configuration.
    pub folder: String,
    /// Since 1970 UTC.
    pub unix_ns: u64,
    /// Seconds that local time is east of UTC.
    pub utc_offset_s: i32,
}

/// Values of a request, by names of the record description without `SMF123S1_`.
pub trait Request {
    /// A text; empty where there is none.
    fn text(&self, name: &str) -> String;
    fn number(&self, name: &str) -> u64;
    /// Nanoseconds since 1970; 0 where there is none.
    fn moment_ns(&self, name: &str) -> u64;
}

enum Form {
    Text(usize),
    Number(usize),
    /// Sixteen bytes of STCKE.
    Moment,
    /// So many bytes that nothing is known for.
    Zeros(usize),
    Blanks(usize),
}

use Form::{Blanks, Moment, Number, Text, Zeros};

/// The fields of a request section behind its version.
const FIELDS: [(&str, Form); 34] = [
    ("REQ_TYPE", Number(1)),
    ("HTTP_RESP_CODE", Number(2)),
    ("", Zeros(4)),
    ("USER_NAME", Text(64)),
    ("USER_NAME_MAPPED", Text(8)),
    ("CLIENT_IP_ADDR", Text(48)),
    ("API_NAME", Text(64)),
    ("API_VERSION", Text(8)),
    ("SERVICE_NAME", Text(64)),
    ("SERVICE_VERSION", Text(8)),
    ("REQ_METHOD", Text(8)),
    ("REQ_QUERY_STR", Text(128)),
    ("REQ_TARGET_URI", Text(256)),
    ("REQ_PAYLOAD_LEN", Number(4)),
    ("RESP_PAYLOAD_LEN", Number(4)),
    ("TIME_ZC_ENTRY", Moment),
    ("TIME_ZC_EXIT", Moment),
    ("TIME_SOR_SENT", Moment),
    ("TIME_SOR_RECV", Moment),
    ("", Blanks(16)),
    ("SOR_REFERENCE", Text(32)),
    ("", Blanks(64)),
    ("SOR_RESOURCE", Text(128)),
    ("REQ_ID", Number(8)),
    ("TRACKING_TOKEN", Text(32)),
    ("", Blanks(32)),
    ("REQ_HDR1", Text(64)),
    ("REQ_HDR2", Text(64)),
    ("REQ_HDR3", Text(64)),
    ("REQ_HDR4", Text(64)),
    ("RESP_HDR1", Text(64)),
    ("RESP_HDR2", Text(64)),
    ("RESP_HDR3", Text(64)),
    ("RESP_HDR4", Text(64)),
];

/// A record of these requests, at most [`REQUESTS_MAX`].
pub fn record(server: &Server, requests: &[&dyn Request]) -> Vec<u8> {
    let requests = &requests[..requests.len().min(REQUESTS_MAX)];
    let server_at = TRIPLETS_AT + TRIPLETS_BYTES;
    let requests_at = server_at + SERVER_BYTES;
    let length = requests_at + requests.len() * REQUEST_BYTES;
    let local_s = server.unix_ns as i64 / 1_000_000_000 + i64::from(server.utc_offset_s);
    // A unit of STCK is 1/4096 of a microsecond.
    let offset = i64::from(server.utc_offset_s) * 1_000_000 * 4_096;
    let mut out = Writer::with_capacity(length);
    out.u16(length as u16)
        .u16(0)
        .u8(FLAGS)
        .u8(TYPE)
        .u32((local_s.rem_euclid(86_400) * 100) as u32)
        .u32(date(local_s))
        .raw(&ebcdic(&server.system, 4))
        .raw(&ebcdic("ZCON", 4))
        .u16(PROVIDER)
        .u32(VERSION)
        .u8(2)
        .u8(TRIPLETS_AT as u8)
        .u16(0)
        .u64(offset as u64)
        .u32(server_at as u32)
        .u16(SERVER_BYTES as u16)
        .u16(1)
        .u32(requests_at as u32)
        .u16(REQUEST_BYTES as u16)
        .u16(requests.len() as u16);
    let version = requests.first().map(|one| one.text("SERVER_VERSION"));
    out.u8(1)
        .raw(&[0; 3])
        .raw(&ebcdic(&server.system, 8))
        .raw(&ebcdic("", 8))
        .raw(&ebcdic("", 8))
        .raw(&ebcdic(&server.job, 8))
        .raw(&[0; 8])
        .raw(&ebcdic(&server.folder, 128))
        .raw(&ebcdic(version.unwrap_or_default(), 16));
    for one in requests {
        out.u8(1);
        for (name, form) in &FIELDS {
            put(&mut out, *one, name, form);
        }
    }
    out.0
}

fn put(out: &mut Writer, request: &dyn Request, name: &str, form: &Form) {
    match form {
        Text(bytes) => {
            // What EBCDIC has no character for is its substitute, not half of a UTF-8 sequence.
            let text = request.text(name);
            let latin = text
                .chars()
                .map(|c| u8::try_from(u32::from(c)).unwrap_or(0x1A));
            out.raw(&ebcdic(latin.collect::<Vec<u8>>(), *bytes));
        }
        Number(bytes) => {
            let number = request.number(name).to_be_bytes();
            out.raw(&number[8 - bytes..]);
        }
        Moment => {
            let stck = match request.moment_ns(name) {
                0 => 0,
                ns => stck(ns),
            };
            out.u8(0).u64(stck).raw(&[0; 7]);
        }
        Zeros(bytes) => {
            out.raw(&vec![0; *bytes]);
        }
        Blanks(bytes) => {
            out.raw(&ebcdic("", *bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use transom_copybook::codepage::CP037;

    struct Example(HashMap<&'static str, &'static str>);

    impl Request for Example {
        fn text(&self, name: &str) -> String {
            self.0.get(name).copied().unwrap_or_default().to_owned()
        }
        fn number(&self, name: &str) -> u64 {
            self.text(name).parse().unwrap_or(0)
        }
        fn moment_ns(&self, name: &str) -> u64 {
            self.number(name)
        }
    }

    fn text(bytes: &[u8]) -> String {
        let text = bytes.iter().map(|byte| CP037.to_char[usize::from(*byte)]);
        text.collect::<String>().trim_end().to_owned()
    }

    fn number(bytes: &[u8]) -> u64 {
        bytes
            .iter()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }

    /// Takes so many bytes off the front.
    fn next<'a>(rest: &mut &'a [u8], bytes: usize) -> &'a [u8] {
        let (taken, behind) = rest.split_at(bytes);
        *rest = behind;
        taken
    }

    /// Reads fields by their lengths, one behind the other, as the public description lists them.
    fn read(record: &[u8]) -> Vec<HashMap<&'static str, String>> {
        let mut head = record;
        assert_eq!(number(next(&mut head, 2)) as usize, record.len());
        assert_eq!(number(next(&mut head, 4)), 0x5E7B);
        next(&mut head, 8);
        assert_eq!(text(next(&mut head, 4)), "TXM1");
        assert_eq!(text(next(&mut head, 4)), "ZCON");
        assert_eq!(number(next(&mut head, 2)), 1);
        assert_eq!(number(next(&mut head, 4)), 2);
        assert_eq!(number(next(&mut head, 1)), 2);
        let mut triplets = &record[number(next(&mut head, 1)) as usize..];
        let server_at = number(next(&mut triplets, 4)) as usize;
        assert_eq!(number(next(&mut triplets, 4)), 188 << 16 | 1);
        assert_eq!(text(&record[server_at + 28..server_at + 36]), "BANK");
        let from = number(next(&mut triplets, 4)) as usize;
        let bytes = number(next(&mut triplets, 2)) as usize;
        let count = number(next(&mut triplets, 2)) as usize;
        assert_eq!(from + count * bytes, record.len());
        let each = record[from..].chunks(bytes);
        each.map(section).collect()
    }

    fn section(mut rest: &[u8]) -> HashMap<&'static str, String> {
        let rest = &mut rest;
        assert_eq!(number(next(rest, 1)), 1);
        let mut found = HashMap::new();
        found.insert("type", number(next(rest, 1)).to_string());
        found.insert("status", number(next(rest, 2)).to_string());
        next(rest, 4);
        for (name, bytes) in [
            ("user", 64),
            ("mapped", 8),
            ("client", 48),
            ("api", 64),
            ("api version", 8),
            ("service", 64),
            ("service version", 8),
            ("method", 8),
            ("query", 128),
            ("uri", 256),
        ] {
            found.insert(name, text(next(rest, bytes)));
        }
        for name in ["bytes in", "bytes out"] {
            found.insert(name, number(next(rest, 4)).to_string());
        }
        for name in ["entry", "exit", "sent", "received"] {
            let stcke = next(rest, 16);
            assert_eq!((stcke[0], &stcke[9..]), (0, &[0; 7][..]));
            // Bit 51 of STCK is a microsecond since 1900.
            let us = number(&stcke[1..9]) >> 12;
            let since_1970 = us.checked_sub(2_208_988_800_000_000);
            found.insert(
                name,
                since_1970.map_or_else(String::new, |us| us.to_string()),
            );
        }
        next(rest, 16);
        found.insert("reference", text(next(rest, 32)));
        next(rest, 64);
        found.insert("resource", text(next(rest, 128)));
        found.insert("id", number(next(rest, 8)).to_string());
        found.insert("token", text(next(rest, 64)));
        found.insert("header", text(next(rest, 64)));
        next(rest, 7 * 64);
        assert!(rest.is_empty());
        found
    }

    fn server() -> Server {
        Server {
            system: "TXM1".into(),
            job: "BANK".into(),
            folder: "/srv/bank".into(),
            unix_ns: 1_795_381_507_120_000_000,
            utc_offset_s: -3_600,
        }
    }

    #[test]
    fn a_reader_of_the_public_layout_finds_every_request() {
        let example = Example(HashMap::from([
            ("REQ_TYPE", "1"),
            ("HTTP_RESP_CODE", "404"),
            ("USER_NAME", "JÖRG"),
            ("CLIENT_IP_ADDR", "192.0.2.7"),
            ("API_NAME", "accounts"),
            ("REQ_METHOD", "GET"),
            ("REQ_TARGET_URI", "/accounts/42"),
            ("REQ_PAYLOAD_LEN", "70000"),
            ("TIME_ZC_ENTRY", "1795381507120001000"),
            ("SOR_RESOURCE", "PAYROLL"),
            ("REQ_ID", "4294967299"),
            ("TRACKING_TOKEN", "42"),
            ("REQ_HDR1", "X-Test: €"),
        ]));
        let all = vec![&example as &dyn Request; REQUESTS_MAX + 3];
        let record = record(&server(), &all);
        assert!(record.len() <= 32_756);
        let found = read(&record);
        assert_eq!(found.len(), REQUESTS_MAX);
        for (name, value) in [
            ("type", "1"),
            ("status", "404"),
            ("user", "JÖRG"),
            ("client", "192.0.2.7"),
            ("api", "accounts"),
            ("service", ""),
            ("method", "GET"),
            ("uri", "/accounts/42"),
            ("bytes in", "70000"),
            ("entry", "1795381507120001"),
            ("received", ""),
            ("resource", "PAYROLL"),
            ("id", "4294967299"),
            ("token", "42"),
        ] {
            assert_eq!(found[19][name], value, "{name}");
        }
        assert!(found[0]["header"].starts_with("X-Test: "));
    }
}
