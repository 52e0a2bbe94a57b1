//! What is to be run, and what all parts need for it.

use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// The longest a whole run takes; parts that are not done by then say how many cases they left out.
const TIME_MAX: Duration = Duration::from_secs(20 * 60);
/// The same for the share.
const SHARE_TIME_MAX: Duration = Duration::from_secs(2 * 60);

/// What a part says that left something out because there was no time.
pub(crate) const TIME_OVER: &str = "the time was over";

/// Command line.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Number all random choices follow from; without it one is taken from the clock
    #[arg(long)]
    seed: Option<u64>,
    /// Two minutes of it: fewer cases, shorter delays
    #[arg(long)]
    share: bool,
    /// Parts to run, separated by commas: points, server, isolation, power, region, scribble,
    /// enqueue, errors, damage
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only cases of fail points whose names contain this, as the summary shows them
    #[arg(long, default_value = "")]
    case: String,
    /// The executable of the project, for regions; the one beside this program if it is not given
    #[arg(long)]
    exe: Option<PathBuf>,
    /// Folder for the stores; kept when a case fails
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// A run.
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) share: bool,
    /// The executable of the project.
    pub(crate) exe: Option<PathBuf>,
    only: Vec<String>,
    case: String,
    folder: PathBuf,
    begin: Instant,
    _owned: Option<TempDir>,
}

impl Plan {
    /// Chooses what was not given.
    pub(crate) fn new(options: Options) -> Result<Self, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let clock = now.map_or(1, |d| u64::from(d.subsec_nanos()));
        let (folder, owned) = match options.folder {
            Some(folder) => (folder, None),
            None => {
                let owned = tempfile::tempdir().map_err(|e| e.to_string())?;
                (owned.path().to_owned(), Some(owned))
            }
        };
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Self {
            seed: options.seed.unwrap_or(clock),
            share: options.share,
            exe: options.exe.or_else(beside_this),
            only: options.only,
            case: options.case,
            folder,
            begin: Instant::now(),
            _owned: owned,
        })
    }

    /// Whether a part is to be run.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|p| p == part)
    }

    /// Whether a case is to be run; all of them when one was asked for, else as the share chooses.
    pub(crate) fn wants_case(&self, name: &str) -> Option<bool> {
        (!self.case.is_empty()).then(|| name.contains(&self.case))
    }

    /// A new empty folder.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        }
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(folder)
    }

    /// One of two values: that of the whole, that of the share.
    pub(crate) fn pick<T>(&self, whole: T, share: T) -> T {
        if self.share { share } else { whole }
    }

    /// True when no more cases may begin.
    pub(crate) fn is_late(&self) -> bool {
        self.begin.elapsed() > self.pick(TIME_MAX, SHARE_TIME_MAX)
    }

    /// How long it has run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// A bar on the terminal; nothing where there is none.
    pub(crate) fn bar(&self, name: &'static str, cases: usize) -> ProgressBar {
        let bar = ProgressBar::new(cases as u64);
        let style = ProgressStyle::with_template("{prefix:8} {bar:40} {pos}/{len} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(name);
        bar
    }
}

/// This program, to be started in another role.
pub(crate) fn myself() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| Path::new("torture").to_owned())
}

/// `transom` in the folder of this program.
fn beside_this() -> Option<PathBuf> {
    let exe = myself().parent()?.join("transom");
    exe.is_file().then_some(exe)
}
