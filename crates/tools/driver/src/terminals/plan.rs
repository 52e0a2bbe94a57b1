//! Checked options of a run with terminals.

use super::options::TerminalArgs;
use super::script::{self, Script};
use super::tls::Connector;
use crate::DriveError;
use crate::cpu;
use crate::plan::CLIENTS_MAX;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;
use transom_copybook::codepage::CodePage;
use transom_datastream::{ClientOptions, ScreenOptions, ScreenSize};
use transom_messages as messages;

/// Longest LU name.
const LU_CHARACTERS: usize = 8;
/// Most threads of the driver.
const THREADS_MAX: usize = 64;

/// One run.
pub(crate) struct Plan {
    pub(crate) title: String,
    pub(crate) host: String,
    pub(crate) script_name: String,
    pub(crate) address: SocketAddr,
    pub(crate) script: Script,
    pub(crate) steps: Vec<u32>,
    pub(crate) think: Duration,
    /// Screens per second of all terminals; `None` is the closed loop.
    pub(crate) paced: Option<f64>,
    ramp: Ramp,
    pub(crate) warm_up: Duration,
    pub(crate) duration: Duration,
    pub(crate) timeout: Duration,
    pub(crate) patience: Duration,
    pub(crate) model: String,
    pub(crate) screen: ScreenOptions,
    client: ClientOptions,
    lu_prefix: Option<String>,
    /// Connections begin with TLS.
    pub(crate) tls_at_once: bool,
    /// Connections must change to TLS.
    pub(crate) start_tls: bool,
    pub(crate) connector: Option<Connector>,
    pub(crate) page: &'static CodePage,
    pub(crate) threads: usize,
    pub(crate) processes: Vec<String>,
    pub(crate) quiet: bool,
    /// The script runs once.
    pub(crate) once: bool,
    /// Print screens.
    pub(crate) show: bool,
    /// Ctrl-C ends the run, and what was measured is kept.
    pub(crate) interruptible: bool,
}

/// How terminals come.
#[derive(Debug, Clone, Copy)]
enum Ramp {
    /// All within a time.
    Within(Duration),
    /// One after the other.
    Each(Duration),
}

/// Times of a run.
struct Times {
    ramp: Ramp,
    warm_up: Duration,
    duration: Duration,
    think: Duration,
}

impl Times {
    /// As the method has them.
    fn of(method: Option<&str>) -> Self {
        let ms = Duration::from_millis;
        match method {
            // R2 section 2.5, and the pause that its 1,000 users with 271 screens/s had.
            Some(_) => Self {
                ramp: Ramp::Each(ms(1_000)),
                warm_up: ms(10_000),
                duration: ms(600_000),
                think: ms(3_680),
            },
            None => Self {
                ramp: Ramp::Within(ms(1_000)),
                warm_up: ms(2_000),
                duration: ms(10_000),
                think: ms(0),
            },
        }
    }

    /// Those that are given, else those of the method. One pass needs none before it.
    fn given(args: &TerminalArgs) -> Self {
        let (ms, usual) = (Duration::from_millis, Self::of(args.method.as_deref()));
        let given = |time: Option<u64>, usual| time.map_or(usual, ms);
        let (ramp, warm_up) = match (args.ramp, args.ramp_each) {
            _ if args.once => (Ramp::Within(ms(0)), ms(0)),
            (Some(all), _) => (Ramp::Within(ms(all)), given(args.warm_up, usual.warm_up)),
            (None, Some(each)) => (Ramp::Each(ms(each)), given(args.warm_up, usual.warm_up)),
            (None, None) => (usual.ramp, given(args.warm_up, usual.warm_up)),
        };
        Self {
            ramp,
            warm_up,
            duration: given(args.duration, usual.duration).max(ms(1)),
            think: given(args.think, usual.think),
        }
    }
}

/// Reads the script of the options.
///
/// # Errors
/// TXMDR0004E with file, line and column.
pub(crate) fn read_script(path: &Path) -> Result<Script, DriveError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|e| DriveError(messages::dr::script_not_valid(&shown, &e).to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut file =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    script::parse(&text, &mut file)
        .map_err(|problem| DriveError(problem.in_file(shown.to_string()).id_first().to_string()))
}

/// How many terminals each step has; they can be told apart and paced, and the processes that are
/// named are there.
fn steps(args: &TerminalArgs) -> Result<Vec<u32>, String> {
    cpu::checked(&args.processes)?;
    let steps = if args.once {
        vec![1]
    } else {
        args.terminals.clone()
    };
    if let Some(n) = steps.iter().find(|n| **n == 0 || **n > CLIENTS_MAX) {
        return Err(format!("{n} terminals: 1 to {CLIENTS_MAX} are possible"));
    }
    if let Some(rate) = args.paced.filter(|r| !(0.001..=1e6).contains(r)) {
        return Err(format!("{rate} screens per second cannot be paced"));
    }
    let most = steps.iter().max().map_or(0, |n| n.to_string().len());
    if let Some(prefix) = &args.lu_prefix
        && (prefix.len() + most > LU_CHARACTERS || !prefix.is_ascii())
    {
        let why = format!("LU names of {LU_CHARACTERS} characters cannot begin with {prefix:?}");
        return Err(format!("{why} and hold the number of {most} digits"));
    }
    Ok(steps)
}

impl Plan {
    /// Checks the options.
    pub(crate) fn new(args: &TerminalArgs) -> Result<Self, DriveError> {
        let script = read_script(&args.script)?;
        let bad = |why: String| DriveError(messages::dr::plan_not_possible(&why).to_string());
        let host = args.host.clone().unwrap_or_default();
        let address = host
            .to_socket_addrs()
            .map_err(|e| bad(format!("{host:?} is no HOST:PORT that can be reached: {e}")))?
            .next()
            .ok_or_else(|| bad(format!("{host} cannot be resolved")))?;
        let steps = steps(args).map_err(bad)?;
        let page = CodePage::by_ccsid(args.ccsid)
            .filter(|page| page.ebcdic)
            .ok_or_else(|| bad(format!("CCSID {} is no EBCDIC page known here", args.ccsid)))?;
        let (name, like) = (&args.model, "3278-2-E is one, or 3279-5");
        let no_model = || bad(format!("{name:?} is no model; {like}"));
        let screen = model(name).ok_or_else(no_model)?;
        let connector = match args.tls || args.start_tls {
            true => Some(Connector::new(&host, args.ca.as_deref()).map_err(bad)?),
            false => None,
        };
        let ms = Duration::from_millis;
        let times = Times::given(args);
        Ok(Self {
            title: args.title.clone(),
            script_name: args.script.display().to_string(),
            address,
            script,
            steps,
            think: times.think,
            paced: args.paced.filter(|_| !args.once),
            ramp: times.ramp,
            warm_up: times.warm_up,
            duration: times.duration,
            timeout: ms(args.timeout.max(1)),
            patience: ms(args.patience),
            client: ClientOptions {
                types: vec![format!("IBM-{}", args.model.to_ascii_uppercase())],
                tn3270e: !args.basic,
                start_tls: args.start_tls,
                ..ClientOptions::default()
            },
            model: args.model.to_ascii_uppercase(),
            screen: ScreenOptions {
                code_page: (697, u16::try_from(args.ccsid).unwrap_or(37)),
                ..screen
            },
            lu_prefix: args.lu_prefix.as_ref().map(|p| p.to_ascii_uppercase()),
            tls_at_once: args.tls,
            start_tls: args.start_tls,
            connector,
            page,
            threads: threads(args.threads),
            processes: args.processes.clone(),
            quiet: args.quiet || args.once,
            once: args.once,
            show: args.show,
            interruptible: false,
            host,
        })
    }

    /// What terminal `number` asks for in the negotiation.
    pub(crate) fn client(&self, number: u32) -> ClientOptions {
        let name = |prefix: &String| {
            let width = LU_CHARACTERS.saturating_sub(prefix.len());
            format!("{prefix}{number:0width$}")
        };
        ClientOptions {
            lu: self.lu_prefix.as_ref().map(name),
            ..self.client.clone()
        }
    }

    /// Time over which so many terminals connect.
    pub(crate) fn ramp(&self, terminals: u32) -> Duration {
        match self.ramp {
            Ramp::Within(time) => time,
            Ramp::Each(time) => time * terminals,
        }
    }

    /// Time of all steps, each from its first terminal to its end.
    pub(crate) fn time(&self) -> Duration {
        let step = |terminals: &u32| self.ramp(*terminals) + self.warm_up + self.duration;
        self.steps.iter().map(step).sum()
    }
}

/// As many as asked for; 0: half of the processors.
fn threads(asked: u32) -> usize {
    let half = std::thread::available_parallelism().map_or(1, |n| usize::from(n).div_ceil(2));
    let asked = asked as usize;
    if asked == 0 { half } else { asked }.min(THREADS_MAX)
}

/// `3278-2-E`, `3279-5` ...
fn model(name: &str) -> Option<ScreenOptions> {
    let name = name.to_ascii_uppercase();
    let rest = name
        .strip_prefix("3278-")
        .or_else(|| name.strip_prefix("3279-"))?;
    let (digit, extended) = match rest.strip_suffix("-E") {
        Some(digit) => (digit, true),
        None => (rest, false),
    };
    Some(ScreenOptions {
        alternate: ScreenSize::of_model(digit.parse().ok()?)?,
        extended,
        ..ScreenOptions::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_the_times_of_its_report() {
        let r2 = Times::of(Some("r2"));
        assert!(matches!(r2.ramp, Ramp::Each(time) if time.as_secs() == 1));
        let seconds = [r2.warm_up, r2.duration, r2.think].map(|time| time.as_secs_f64());
        assert_eq!(seconds, [10.0, 600.0, 3.68]);
        assert_eq!(Times::of(None).duration.as_secs(), 10);
    }

    #[test]
    fn models_have_sizes() {
        let five = model("3279-5-e").unwrap();
        assert!(five.extended && five.alternate == ScreenSize::MODEL_5);
        assert!(!model("3278-2").unwrap().extended);
        assert!(model("3278-6").is_none() && model("3270").is_none());
    }
}
