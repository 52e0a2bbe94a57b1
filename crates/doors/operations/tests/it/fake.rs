//! A region with as many names as a test wants.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use transom_messages::Operator;
use transom_operations::{Desk, Plan, Told, listener};
use transom_region_api::{
    Claim, Control, Denial, Lists, Overview, ProgramStatus, RegionInfo, Reply, SetFailure,
    SetRequest, Stage, StatisticsGroup, TaskTimes, TransactionStatus, Unreachable, Users,
};
use transom_settings::OperationsSettings;
use transom_telemetry::Timings;
use transom_types::{ProgramName, TransId, UserId};

/// Transactions, and as many programs, with figures of their own.
pub(crate) const NAMES_MAX: usize = 1_000;

pub(crate) struct Region {
    transactions: Timings<TransId>,
    programs: Timings<ProgramName>,
}

impl Region {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            transactions: Timings::new(NAMES_MAX),
            programs: Timings::new(NAMES_MAX),
        })
    }

    /// So many transactions ran, each with a program of its own.
    pub(crate) fn ran(&self, number: usize) {
        for n in 0..number {
            let took = Duration::from_micros(n as u64 * 37);
            let transid = TransId::from_field(format!("{n:04}").as_bytes());
            self.transactions.saw(transid, took, n % 3 == 0);
            let program = ProgramName::from_field(format!("PROG{n:04}").as_bytes());
            self.programs.saw(program, took, n % 3 == 0);
        }
    }

    /// A program of this name ran.
    pub(crate) fn called(&self, name: &str) {
        let program = ProgramName::from_field(name.as_bytes());
        self.programs.saw(program, Duration::from_millis(1), false);
        let transid = TransId::from_field(name.as_bytes());
        self.transactions
            .saw(transid, Duration::from_millis(1), true);
    }

    /// The port, served from now on.
    pub(crate) fn serve(self: &Arc<Self>) -> SocketAddr {
        let desk = Desk {
            control: self.clone(),
            overview: self.clone(),
            users: self.clone(),
            version: "1",
            told: Arc::new(Told::default),
            opened: Arc::new(OnceLock::new()),
        };
        let settings = OperationsSettings {
            port: Some(0),
            ..OperationsSettings::default()
        };
        let plan = Plan {
            settings: &settings,
            root: Path::new("."),
            own_certificate: "none.pem".into(),
            operator: Operator::nobody(),
        };
        let bound = listener(&plan, &desk).unwrap().unwrap();
        let at = bound.address();
        bound.start(|why| panic!("{why}")).unwrap();
        at
    }
}

fn away() -> Unreachable {
    Unreachable {
        text: "there is none".to_owned(),
    }
}

impl Overview for Region {
    fn stage(&self) -> Stage {
        Stage::Running
    }

    fn lists(&self, _rows_max: usize) -> Lists {
        Lists::default()
    }

    fn times(&self) -> TaskTimes {
        TaskTimes {
            transactions: self.transactions.read(),
            programs: self.programs.read(),
        }
    }
}

impl Control for Region {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        Err(away())
    }

    fn program(&self, _name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        Ok(None)
    }

    fn transaction(&self, _name: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        Ok(None)
    }

    fn set(&self, _request: SetRequest) -> Result<(), SetFailure> {
        Err(SetFailure::Unreachable(away()))
    }

    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable> {
        Ok(Vec::new())
    }
}

impl Users for Region {
    fn checks(&self) -> bool {
        false
    }

    fn default_user(&self) -> UserId {
        UserId::from_field(b"NOBODY")
    }

    fn sign_on(&self, _claim: Claim) -> Reply<Result<UserId, Denial>> {
        Box::pin(std::future::ready(Err(Denial::Wrong)))
    }

    fn generation(&self) -> u64 {
        0
    }

    fn may(&self, _user: UserId, _resource: (&str, &str), _told: bool) -> bool {
        false
    }
}
