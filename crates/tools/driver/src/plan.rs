//! Checked options: everything a client needs, ready to send.

use crate::DriveError;
use crate::options::{DriveArgs, Mode};
use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, Uri};
use std::net::ToSocketAddrs;
use std::time::Duration;
use transom_messages as messages;

/// Most clients of one step.
pub(crate) const CLIENTS_MAX: u32 = 20_000;

/// One run.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) address: std::net::SocketAddr,
    pub(crate) host: HeaderValue,
    pub(crate) path: Uri,
    pub(crate) method: Method,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
    pub(crate) expect: Option<Vec<u8>>,
    pub(crate) steps: Vec<u32>,
    pub(crate) mode: Mode,
    pub(crate) think: Duration,
    pub(crate) ramp_up: Duration,
    pub(crate) settle: Duration,
    pub(crate) warm_up: Duration,
    pub(crate) duration: Duration,
    pub(crate) timeout: Duration,
    pub(crate) processes: Vec<String>,
    pub(crate) offload: Vec<String>,
    pub(crate) quiet: bool,
}

impl Plan {
    /// Checks the options.
    pub(crate) fn new(args: &DriveArgs) -> Result<Self, DriveError> {
        let bad = |why: String| DriveError(messages::dr::plan_not_possible(&why).to_string());
        let uri: Uri = args
            .url
            .parse()
            .map_err(|e| bad(format!("{} is not a URL: {e}", args.url)))?;
        if uri.scheme_str() != Some("http") {
            return Err(bad(format!("{}: only http:// can be driven", args.url)));
        }
        let authority = uri
            .authority()
            .ok_or_else(|| bad("the URL has no host".into()))?;
        let target = (authority.host(), authority.port_u16().unwrap_or(80));
        let address = target
            .to_socket_addrs()
            .ok()
            .and_then(|mut found| found.next())
            .ok_or_else(|| bad(format!("{authority} cannot be resolved")))?;
        checked(args).map_err(bad)?;
        let body = match (&args.body, &args.body_file) {
            (Some(text), _) => Bytes::from(text.clone()),
            (None, Some(file)) => Bytes::from(
                std::fs::read(file).map_err(|e| bad(format!("{}: {e}", file.display())))?,
            ),
            (None, None) => Bytes::new(),
        };
        let path = uri.path_and_query().map_or("/", |p| p.as_str());
        let ms = Duration::from_millis;
        Ok(Self {
            title: args.title.clone(),
            url: args.url.clone(),
            address,
            host: HeaderValue::from_str(authority.as_str()).map_err(|e| bad(e.to_string()))?,
            path: path.parse().map_err(|e| bad(format!("{path}: {e}")))?,
            method: args
                .method
                .to_ascii_uppercase()
                .parse()
                .map_err(|e| bad(format!("{}: {e}", args.method)))?,
            headers: headers(args, !body.is_empty()).map_err(bad)?,
            body,
            expect: args.expect.as_ref().map(|t| t.as_bytes().to_vec()),
            steps: args.clients.clone(),
            mode: args.mode,
            think: ms(args.think),
            ramp_up: ms(args.ramp_up),
            settle: ms(args.settle),
            warm_up: ms(args.warm_up),
            duration: ms(args.duration.max(1)),
            timeout: ms(args.timeout.max(1)),
            processes: args.processes.clone(),
            offload: args.offload_processes.clone(),
            quiet: args.quiet,
        })
    }

    /// When the client of this number begins, after the first. On a schedule clients have the whole
    /// period between them, whatever the ramp: those of one moment would wait for each other.
    pub(crate) fn starts_after(&self, client: u32, clients: u32) -> Duration {
        let ramp = self.ramp_up * client / clients.max(1);
        match self.mode {
            Mode::Paced if !self.think.is_zero() => {
                let periods = ramp.as_nanos() / self.think.as_nanos();
                let periods = u32::try_from(periods).unwrap_or(u32::MAX);
                let share = self.think * client / clients.max(1);
                self.think.saturating_mul(periods).saturating_add(share)
            }
            _ => ramp,
        }
    }

    /// All processes whose CPU is read.
    pub(crate) fn names(&self) -> Vec<String> {
        [self.processes.as_slice(), self.offload.as_slice()].concat()
    }

    /// Time of one step from its first client to its end.
    pub(crate) fn step_time(&self) -> Duration {
        self.ramp_up + self.settle + self.warm_up + self.duration
    }
}

/// So many clients can be had, and somebody is found for each process that is named.
fn checked(args: &DriveArgs) -> Result<(), String> {
    if let Some(n) = args.clients.iter().find(|n| **n == 0 || **n > CLIENTS_MAX) {
        return Err(format!("{n} clients: 1 to {CLIENTS_MAX} are possible"));
    }
    crate::cpu::checked(&args.processes)?;
    crate::cpu::checked(&args.offload_processes)
}

fn headers(args: &DriveArgs, has_body: bool) -> Result<Vec<(HeaderName, HeaderValue)>, String> {
    let mut list = Vec::new();
    for line in &args.headers {
        let (name, value) = line
            .split_once(':')
            .ok_or(format!("{line:?} is not a header"))?;
        let name =
            HeaderName::from_bytes(name.trim().as_bytes()).map_err(|e| format!("{line}: {e}"))?;
        let value = HeaderValue::from_str(value.trim()).map_err(|e| format!("{line}: {e}"))?;
        list.push((name, value));
    }
    if has_body && !list.iter().any(|(n, _)| n == hyper::header::CONTENT_TYPE) {
        list.push((
            hyper::header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        ));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        args: DriveArgs,
    }

    fn starts(words: &[&str]) -> Vec<u128> {
        let all = ["drive", "http://127.0.0.1:1/"].iter().chain(words);
        let plan = Plan::new(&Words::parse_from(all).args).unwrap();
        let at = |client| plan.starts_after(client, 4).as_millis();
        (0..4).map(at).collect()
    }

    #[test]
    fn clients_of_a_schedule_share_its_period() {
        let paced = ["--mode", "paced", "--think", "100ms", "--ramp-up"];
        let with = |ramp| starts(&[&paced[..], &[ramp]].concat());
        assert_eq!(with("1s"), [0, 225, 550, 775]);
        assert_eq!(with("0"), [0, 25, 50, 75]);
        assert_eq!(starts(&["--ramp-up", "1s"]), [0, 250, 500, 750]);
    }
}
