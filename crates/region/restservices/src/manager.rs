//! The facet: making, listing, describing, running services.
//!
//! What: each request asks who may, then works on a thread with a session; the list of services is
//! read from the database once and changed with it. Why the lock while one is made: the table and
//! the list say the same. Not here: SQL (`run`), the table (`catalog`).

use crate::authority::Authority;
use crate::catalog::{self, Catalog};
use crate::kept::Kept;
use crate::names::{self, DEFAULT_COLLECTION, FIRST_VERSION};
use crate::pace::Pace;
use crate::run::{self, Failed};
use crate::statement::Text;
use crate::threads::{Manager, Threads, ended};
use std::sync::{Arc, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Mutex, OnceCell, mpsc, oneshot};
use transom_recovery::guard::{read, write};
use transom_region_api::{
    Given, NewRestService, Reply, RestBlock, RestFailure, RestResult, RestRows, RestServiceDetails,
    RestServiceEntry, RestServiceName, RestServices, Users,
};
use transom_region_sql::{SqlDatabase, SqlSession};
use transom_types::UserId;

/// Rows of the first block: a result that is no longer is made in one piece.
const FIRST_ROWS: u32 = 512;
/// Rows of each other.
const BLOCK_ROWS: u32 = 128;
/// Blocks of rows that wait for a client who reads slowly.
const BLOCKS_AHEAD: usize = 2;

/// What services are given.
pub struct RestConfig {
    /// Threads at a time (MAXDBAT).
    pub threads_max: usize,
    /// How long a request waits for one.
    pub wait: Duration,
    /// Name in front of resources of rules.
    pub subsystem: String,
}

/// The services of a database.
#[derive(Clone)]
pub struct RestServiceManager(Arc<Inner>);

struct Inner {
    threads: Threads,
    authority: Authority,
    /// Read when it is needed first.
    catalog: OnceCell<RwLock<Catalog>>,
    /// One is made or dropped at a time.
    changing: Mutex<()>,
}

impl RestServiceManager {
    /// Over the database of a region and its users.
    pub fn new(
        config: &RestConfig,
        database: SqlDatabase,
        manager: Manager,
        users: Arc<dyn Users>,
    ) -> Self {
        let threads = Threads::new(database, manager, config.threads_max, config.wait);
        Self(Arc::new(Inner {
            threads,
            authority: Authority {
                users,
                subsystem: config.subsystem.clone(),
            },
            catalog: OnceCell::new(),
            changing: Mutex::default(),
        }))
    }
}

impl RestServices for RestServiceManager {
    fn create(
        &self,
        by: UserId,
        new: NewRestService,
    ) -> Reply<Result<RestServiceName, RestFailure>> {
        let inner = self.0.clone();
        Box::pin(async move { inner.create(by, new).await })
    }

    fn remove(&self, by: UserId, name: RestServiceName) -> Reply<Result<(), RestFailure>> {
        let inner = self.0.clone();
        Box::pin(async move { inner.drop_service(by, name).await })
    }

    fn all(&self, by: UserId) -> Reply<Result<Vec<RestServiceEntry>, RestFailure>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let catalog = inner.catalog().await?;
            let all = read(catalog).all().cloned().collect::<Vec<_>>();
            let seen = all.iter().filter(|kept| inner.authority.sees(by, kept));
            Ok(seen.map(|kept| entry(kept)).collect())
        })
    }

    fn describe(
        &self,
        by: UserId,
        name: RestServiceName,
    ) -> Reply<Result<RestServiceDetails, RestFailure>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let kept = inner.find(name).await?;
            inner.authority.may_run(by, &kept)?;
            let entry = entry(&kept);
            let work = move |session: &mut dyn SqlSession| run::prepare(session, &kept, by);
            let described = inner.threads.run(work).await?;
            let mut parameters = described.markers;
            // A name that comes twice has the type of its first place.
            let mut seen = Vec::new();
            parameters.retain(|one| {
                !seen.contains(&one.name) && {
                    seen.push(one.name.clone());
                    true
                }
            });
            let columns = described.columns;
            Ok(RestServiceDetails {
                entry,
                parameters,
                columns: (!columns.is_empty()).then_some(columns),
            })
        })
    }

    fn run(
        &self,
        by: UserId,
        name: RestServiceName,
        given: Vec<(String, Given)>,
    ) -> Reply<Result<RestResult, RestFailure>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let kept = inner.find(name).await?;
            inner.authority.may_run(by, &kept)?;
            if !kept.started {
                return Err(RestFailure::Stopped);
            }
            if kept.text.is_query {
                return inner.query(by, kept, given).await;
            }
            let work = move |session: &mut dyn SqlSession| {
                let described = run::prepare(session, &kept, by)?;
                let inputs = run::inputs(&described, &given)?;
                run::change(session, &kept, by, inputs)
            };
            inner.threads.run(work).await.map(RestResult::Count)
        })
    }
}

impl Inner {
    /// The list; reads it where nobody has.
    async fn catalog(&self) -> Result<&RwLock<Catalog>, RestFailure> {
        let load = || async {
            let loaded = self.threads.run(|session| Catalog::load(session)).await?;
            Ok(RwLock::new(loaded))
        };
        self.catalog.get_or_try_init(load).await
    }

    async fn find(&self, name: RestServiceName) -> Result<Arc<Kept>, RestFailure> {
        let catalog = self.catalog().await?;
        let found = read(catalog).find(&name);
        found.ok_or(RestFailure::Unknown)
    }

    async fn create(
        &self,
        by: UserId,
        new: NewRestService,
    ) -> Result<RestServiceName, RestFailure> {
        let mut name = new.name;
        if name.collection.is_empty() {
            name.collection = DEFAULT_COLLECTION.to_owned();
        }
        let version = name.version.get_or_insert_with(|| FIRST_VERSION.to_owned());
        if version.is_empty() {
            FIRST_VERSION.clone_into(version);
        }
        names::check(&name)?;
        catalog::check_sizes(&new.statement, new.description.as_deref())?;
        self.authority.may_create(by, &name)?;
        let owner = owner(by, new.owner.as_deref(), &*self.authority.users)?;
        let text = Text::read(&new.statement)?;
        let catalog = self.catalog().await?;
        let _one = self.changing.lock().await;
        let is_default = {
            let known = read(catalog);
            if known.find(&name).is_some() {
                return Err(RestFailure::Exists);
            }
            if known.len() >= catalog::SERVICES_MAX {
                let most = catalog::SERVICES_MAX;
                return Err(RestFailure::Refused(format!("there are {most} services")));
            }
            !known.versions(&name).any(|kept| kept.is_default)
        };
        let kept = Arc::new(Kept {
            name: name.clone(),
            is_default,
            started: true,
            description: new.description,
            owner,
            qualifier: new.qualifier.unwrap_or_default().to_ascii_uppercase(),
            statement: new.statement,
            text,
            pace: Pace::default(),
        });
        // BIND: tables and columns are there, types are known.
        let (bound, written) = (kept.clone(), kept.clone());
        self.threads
            .run(move |session| run::prepare(session, &bound, by).map(drop))
            .await?;
        self.threads
            .run(move |session| catalog::insert(session, &written))
            .await?;
        write(catalog).put(kept);
        Ok(name)
    }

    async fn drop_service(&self, by: UserId, name: RestServiceName) -> Result<(), RestFailure> {
        let kept = self.find(name).await?;
        self.authority.may_drop(by, &kept)?;
        let catalog = self.catalog().await?;
        let _one = self.changing.lock().await;
        let gone = kept.name.clone();
        self.threads
            .run(move |session| catalog::delete(session, &gone))
            .await?;
        write(catalog).remove(&kept.name);
        Ok(())
    }

    /// Starts a query; its first rows tell that it works, the others follow as they are read.
    async fn query(
        &self,
        by: UserId,
        kept: Arc<Kept>,
        given: Vec<(String, Given)>,
    ) -> Result<RestResult, RestFailure> {
        let mut lent = self.threads.lend().await?;
        if lent.is_open() && kept.pace.may_hurry() {
            let begun = lent.in_a_hurry(|session| at_once(session, &kept, by, &given));
            match begun {
                Some(done) => return done,
                None => kept.pace.takes_long(),
            }
        }
        let (begun, first) = oneshot::channel();
        let (blocks, next) = mpsc::channel(BLOCKS_AHEAD);
        let work = move |opened: Result<&mut dyn SqlSession, RestFailure>| {
            let session = match opened {
                Ok(session) => session,
                Err(why) => return drop(begun.send(Err(why))),
            };
            let opened = begin(session, &kept, by, &given);
            let more = matches!(&opened, Ok((_, block)) if !block.last);
            if !more {
                let _gone = begun.send(ended(opened, session));
                return;
            }
            if begun.send(opened.map_err(RestFailure::from)).is_ok() {
                stream(session, &blocks);
            }
        };
        self.threads.start(lent, work)?;
        let answered = first.await;
        let (names, first) =
            answered.unwrap_or_else(|_| Err(RestFailure::Unavailable(String::new())))?;
        Ok(RestResult::Rows(
            names,
            Box::new(Rows {
                first: Some(first),
                next: Some(next),
            }),
        ))
    }
}

/// All of a result that is small; `None`: it is not, or not surely what it would be with time.
fn at_once(
    session: &mut dyn SqlSession,
    kept: &Kept,
    by: UserId,
    given: &[(String, Given)],
) -> Option<Result<RestResult, RestFailure>> {
    let begun = match begin(session, kept, by, given) {
        Ok((_, block)) if !block.last => return None,
        Err(Failed::Sql(_)) => return None,
        begun => ended(begun, session),
    };
    Some(begun.map(|(names, first)| {
        let rows = Rows {
            first: Some(first),
            next: None,
        };
        RestResult::Rows(names, Box::new(rows))
    }))
}

/// Opens the cursor of a service; names of the columns and the first rows.
fn begin(
    session: &mut dyn SqlSession,
    kept: &Kept,
    by: UserId,
    given: &[(String, Given)],
) -> Result<(Vec<String>, RestBlock), Failed> {
    let described = run::prepare(session, kept, by)?;
    let inputs = run::inputs(&described, given)?;
    run::open(session, kept, by, inputs)?;
    let names = described.columns.into_iter().map(|column| column.name);
    Ok((names.collect(), run::block(session, FIRST_ROWS)?))
}

/// Sends blocks until the last one, or until nobody takes them.
fn stream(session: &mut dyn SqlSession, blocks: &mpsc::Sender<Result<RestBlock, RestFailure>>) {
    loop {
        let block = run::block(session, BLOCK_ROWS).map_err(RestFailure::from);
        let last = block.as_ref().map_or(true, |block| block.last);
        if blocks.blocking_send(block).is_err() || last {
            return;
        }
    }
}

/// Rows on their way.
struct Rows {
    first: Option<RestBlock>,
    /// `None`: there are no others.
    next: Option<mpsc::Receiver<Result<RestBlock, RestFailure>>>,
}

impl RestRows for Rows {
    fn poll_block(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<RestBlock, RestFailure>>> {
        match (self.first.take(), &mut self.next) {
            (Some(first), _) => Poll::Ready(Some(Ok(first))),
            (None, Some(next)) => next.poll_recv(context),
            (None, None) => Poll::Ready(None),
        }
    }
}

/// Whose the package is: no other user's than who makes it.
fn owner(by: UserId, wanted: Option<&str>, users: &dyn Users) -> Result<String, RestFailure> {
    match wanted {
        Some(wanted) if !wanted.eq_ignore_ascii_case(by.as_str()) && users.checks() => Err(
            RestFailure::Refused(format!("{wanted} is no owner that {by} may name")),
        ),
        Some(wanted) => Ok(wanted.to_ascii_uppercase()),
        None => Ok(by.as_str().to_owned()),
    }
}

fn entry(kept: &Kept) -> RestServiceEntry {
    RestServiceEntry {
        name: kept.name.clone(),
        is_default: kept.is_default,
        description: kept.description.clone(),
        started: kept.started,
    }
}
