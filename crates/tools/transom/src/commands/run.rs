//! `transom run`: compile what changed, start region and gateway, serve until told to stop.

use super::build::{compile, compile_later, leave_out, stop_on_errors};
use super::output::{few_findings, findings, print};
use crate::ends::Ends;
use crate::lives::Lives;
use crate::system::build::{Later, Mode};
use crate::system::region::Parts;
use crate::system::{
    self, SystemDirectory, adapters, at_port, collating, data_texts, dbrest, decks, descriptors,
    exposure, figures, gateway, host_and_port, operations, program_lists, region, terminals,
};
use crate::{console, memory, service};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_datasets::Datasets;
use transom_dbrest::Dbrest;
use transom_gateway::{Companion, Gateway, Regions};
use transom_intersystem::LinkServer;
use transom_log::{operator, say, serve_as};
use transom_messages::{self as messages, Few, Line, Severity};
use transom_region_api::Terminals;
use transom_region_server::{LocalRegion, StartMode};
use transom_reload::{Counts, Reload};
use transom_tn3270::Tn3270;

/// How long running requests and tasks may take to end after Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(10);
/// Operations of APIs that are named when the system is ready.
const ROUTES_SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom run samples/gateway
  transom run my-system --http 8080
  transom run my-system --no-gateway
  transom run my-system --keep-going")]
pub(crate) struct RunArgs {
    /// The system directory
    pub(crate) dir: PathBuf,
    /// HTTP port in place of the one in server.xml
    #[arg(long)]
    http: Option<u16>,
    /// HTTPS port in place of the one in server.xml
    #[arg(long)]
    https: Option<u16>,
    /// Start the region alone; gateways of other processes reach it through [local_adapters]
    #[arg(long)]
    no_gateway: bool,
    /// Start without the sources that do not compile; who calls their programs gets PGMIDERR
    #[arg(long)]
    keep_going: bool,
    /// START in place of the one in [region]: AUTO, COLD or INITIAL
    #[arg(long, value_parser = ["AUTO", "COLD", "INITIAL"], ignore_case = true)]
    start: Option<String>,
    /// With an initial start: back out the units of work that are in doubt
    #[arg(long)]
    back_out_in_doubt: bool,
    /// TN3270 port in place of the one in [terminals]
    #[arg(long)]
    tn3270: Option<u16>,
    /// TN3270 port with TLS in place of the one in [terminals]
    #[arg(long)]
    tn3270_tls: Option<u16>,
    /// How lines of the log look, in place of `[log] format`: PLAIN, TEXT or JSON
    #[arg(long, value_parser = ["PLAIN", "TEXT", "JSON"], ignore_case = true)]
    log: Option<String>,
    /// End when the process that started this one ends
    #[arg(long, hide = true)]
    pub(crate) end_with_parent: bool,
}

impl RunArgs {
    fn has_terminals(&self, system: &SystemDirectory) -> bool {
        let table = &system.settings.terminals;
        let ports = [self.tn3270, self.tn3270_tls, table.port, table.tls_port];
        ports.iter().any(Option::is_some)
    }

    /// START of the command line, else of the SIT.
    fn start_mode(&self, system: &SystemDirectory) -> StartMode {
        let asked = self
            .start
            .as_deref()
            .unwrap_or(system.settings.region.start);
        match asked.to_ascii_uppercase().as_str() {
            "COLD" => StartMode::Cold,
            "INITIAL" => StartMode::Initial {
                back_out: self.back_out_in_doubt,
            },
            _ => StartMode::Auto,
        }
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<(), String> {
    let (mut system, found) = system::open(&args.dir)?;
    let written = system.clone();
    if args.end_with_parent {
        // Another user would not be told.
        super::plex::end_with_parent()?;
    }
    stop_on_errors(&args.dir, &found)?;
    serve_as(&system.settings.log, &system.root, args.log.as_deref())?;
    // The store knows the order of characters, which programs are compiled for.
    let store = collating::open_store(&mut system)?;
    let outcome = compile(&system, Mode::of_start(&system.settings.cobol))?;
    if args.keep_going {
        leave_out(&outcome);
    } else {
        stop_on_errors(&args.dir, &outcome.findings)?;
    }
    let mut decks = decks::read(&system);
    stop_on_errors(&args.dir, &decks.findings)?;
    few_findings(decks::missing(&decks, &outcome));
    findings(&decks::attributes_without_effect(&decks));
    let counts = Counts::of(&written, &decks.defined);
    let (lists, found) = program_lists::read(&system);
    stop_on_errors(&args.dir, &found)?;
    few_findings(program_lists::missing(&system, &lists, &outcome));
    decks::attach_modules(&mut decks.definitions, &outcome.modules);
    let absent = region::absent(&outcome);
    let lists = region::program_lists(&system.settings.region, lists);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| messages::si::region_cannot_start(&e).to_string())?;
    let rest = Later::new(outcome.pending);
    let definitions = (decks.definitions, absent, lists, rest);
    runtime.block_on(serve(args, (&mut system, counts), store, definitions))
}

async fn serve(
    args: &RunArgs,
    (system, counts): (&mut SystemDirectory, Counts),
    store: collating::OpenStore,
    definitions: Parts,
) -> Result<(), String> {
    let begin = Instant::now();
    let os = |e: std::io::Error| messages::si::region_cannot_start(&e).to_string();
    memory::give_back().map_err(os)?;
    let (lives, ended) = Lives::new();
    let mut ends = Ends::of(ended).map_err(os)?;
    let hangup = transom_reload::hangup();
    start_telemetry(system)?;
    let setup = bounded(args, system)?;
    let system = &*system;
    let group = setup.as_ref().and_then(|s| s.adapters.group.clone());
    let region = start_region(args, system, setup.as_ref(), (definitions, store))?;
    transom_otlp::with_figures(&region);
    region.also_report(Box::new(transom_otlp::statistics));
    let watched = operations::open(system, &region, &lives)?;
    if let Some(outcome) = ends.before_work(&region).await {
        operator().tell(stopping());
        region.stop(Duration::ZERO).await;
        return outcome;
    }
    let opened = doors(args, system, setup, &region, (group.as_ref(), &lives));
    let (screens, gateway, rest, _link_server, ready) = match opened {
        Ok(opened) => opened,
        // What an orderly end has kept must not be lost by a start that failed.
        Err(error) => {
            region.stop(Duration::ZERO).await;
            return Err(error);
        }
    };
    let (applid, ms) = (&system.settings.region.applid, begin.elapsed().as_millis());
    let ready = format!(
        "region {applid} is ready ({ms} ms)\n{ready}{}",
        watched.shown()
    );
    let listeners = figures::addresses(&screens, gateway.as_ref(), &rest);
    watched.is_open(gateway.as_ref(), listeners.clone());
    figures::also(&region, watched.listener());
    let reload = Reload::of(counts, &region, (&operator(), system::users::READERS));
    reload.on(hangup);
    console::open(system, (&region, &reload), listeners, &lives);
    announce(system, gateway.as_ref(), ready);
    let (immediate, outcome) = ends.first(&region).await;
    operator().tell(stopping());
    let immediate = immediate || ends.again_while_quiescing(&region).await;
    if let Some(gateway) = gateway {
        stop_gateway(gateway).await;
    }
    let patience = if immediate { Duration::ZERO } else { PATIENCE };
    for listener in &rest {
        listener.drain(patience).await;
    }
    region.stop(patience).await;
    transom_otlp::stop();
    outcome
}

/// Listeners, gateway and link server (its socket goes away with it), and where they are.
type Doors = (
    Vec<Tn3270>,
    Option<Gateway>,
    Vec<Dbrest>,
    Option<Arc<LinkServer>>,
    String,
);

/// Opens what a region is reached by. Its replies are delivered from then on.
fn doors(
    args: &RunArgs,
    system: &SystemDirectory,
    setup: Option<gateway::Setup>,
    region: &Arc<LocalRegion>,
    (group, lives): (Option<&[String; 3]>, &Lives),
) -> Result<Doors, String> {
    let reached = setup.as_ref().filter(|_| !args.no_gateway);
    let (terminals, checked) = (args.has_terminals(system), region.checks_authority());
    let notice = exposure::notice(system, reached, terminals, checked);
    if let Some(notice) = notice.map_err(|m| m.to_string())? {
        operator().tell(notice);
    }
    let rest = dbrest::listeners(system, region)?;
    let desk: Arc<dyn Terminals> = region.clone();
    let screens = terminals::listeners(system, &desk, (args.tn3270, args.tn3270_tls))?;
    // Replies are delivered on the gateway's own thread, and terminals are served there: a request
    // then costs no change of thread.
    let companion = pump_and_terminals(region, &screens, lives);
    let gateway = match setup.filter(|_| !args.no_gateway) {
        Some(mut setup) => {
            setup.config.nearby = transom_dbrest::nearby(&rest);
            let regions = Regions::new(region.clone());
            let ports = (args.http, args.https);
            Some(start_gateway(ports, setup, regions, companion)?)
        }
        None => {
            tokio::spawn(companion);
            None
        }
    };
    figures::report(region, gateway.as_ref(), (&screens, &rest));
    dbrest::serve(&rest, lives);
    let mut ready = String::new();
    let link_server = adapters::start_link_server(system, group, region, lives, &mut ready)?;
    for screen in &screens {
        ready += &format!("tn3270://{}\n", host_and_port(screen.address()));
    }
    for listener in &rest {
        let scheme = if listener.secure() { "https" } else { "http" };
        let place = host_and_port(listener.address());
        ready += &format!("{scheme}://{place}/services (Db2 REST services)\n");
    }
    Ok((screens, gateway, rest, link_server, ready))
}

/// The gateway's setup; listeners take no more than the process has descriptors for.
fn bounded(args: &RunArgs, system: &mut SystemDirectory) -> Result<Option<gateway::Setup>, String> {
    let mut setup = gateway::read(system)?;
    let (terminals, served) = (args.has_terminals(system), !args.no_gateway);
    if let Some(few) = descriptors::bound(system, setup.as_mut().filter(|_| served), terminals) {
        operator().tell(few);
    }
    Ok(setup)
}

/// The region, with what other machines reach of it only where that is meant.
fn start_region(
    args: &RunArgs,
    system: &SystemDirectory,
    setup: Option<&gateway::Setup>,
    (parts, store): (Parts, collating::OpenStore),
) -> Result<Arc<LocalRegion>, String> {
    let gateway = setup.filter(|_| !args.no_gateway);
    exposure::foreseen(system, gateway, args.has_terminals(system)).map_err(|m| m.to_string())?;
    define_missing(system, &store.datasets)?;
    let late = parts.3.clone();
    let mut config = region::config(system, parts, store)?;
    config.queues.start = args.start_mode(system);
    let region = Arc::new(LocalRegion::start(config).map_err(|e| e.to_string())?);
    late.iter()
        .for_each(|late| compile_later(late, system, &region));
    Ok(region)
}

/// The gateway waits for its requests, which need what this thread delivers: not on this thread.
pub(crate) async fn stop_gateway(gateway: Gateway) {
    let stopped = tokio::task::spawn_blocking(move || gateway.stop(PATIENCE)).await;
    if let Ok(cut @ 1..) = stopped {
        operator().tell(messages::si::connections_cut(cut));
    }
}

pub(crate) fn stopping() -> Line {
    service::notify("STOPPING=1");
    Line::text(Severity::Information, "stopping")
}

/// The region's pump and the terminals in one, for the thread that serves both.
fn pump_and_terminals(region: &Arc<LocalRegion>, screens: &[Tn3270], lives: &Lives) -> Companion {
    let (pump, screens) = (region.pump(), screens.to_vec());
    let replies = lives.must_live("the delivery of replies");
    let listeners: Vec<_> = screens
        .into_iter()
        .map(|screen| (screen, lives.must_live("a listener of terminals")))
        .collect();
    Box::pin(async move {
        let _replies = replies;
        for (screen, listener) in listeners {
            tokio::spawn(async move {
                if let Err(error) = screen.clone().serve().await {
                    operator().tell(messages::tc::cannot_listen(screen.address(), error));
                }
                listener.may_end();
            });
        }
        pump.await;
    })
}

/// Defines and loads what `data/` describes and is not there yet.
fn define_missing(system: &SystemDirectory, datasets: &Datasets) -> Result<(), String> {
    let texts = data_texts(&system.root);
    let applied = transom_utilities::apply(
        &system.root,
        &texts,
        system::page(system.settings.cobol.source_codepage),
        datasets,
    );
    applied.listing.lines().for_each(say);
    if applied.code >= 8 {
        return Err(format!(
            "{}: data sets could not be defined or loaded; nothing was started",
            system.root.display()
        ));
    }
    Ok(())
}

/// Begins to send traces and metrics, where a collector is named.
pub(crate) fn start_telemetry(system: &SystemDirectory) -> Result<(), String> {
    let version = env!("CARGO_PKG_VERSION");
    transom_otlp::start(&system.settings, &system.root, version, operator())
        .map_err(|m| m.to_string())
}

/// The ports stand in place of those of server.xml.
pub(crate) fn start_gateway(
    (http, https): (Option<u16>, Option<u16>),
    setup: gateway::Setup,
    regions: Regions,
    companion: Companion,
) -> Result<Gateway, String> {
    let mut config = setup.config;
    config.http = at_port(config.http, http);
    if let Some((address, tls)) = config.https.take() {
        config.https = at_port(Some(address), https).map(|address| (address, tls));
    }
    config.operator = operator();
    for notice in setup.notices {
        operator().tell(notice);
    }
    let gateway = Gateway::start_with(config, regions, companion).map_err(|e| e.to_string())?;
    for notice in Few::of(gateway.notices().iter().cloned()) {
        operator().tell(notice);
    }
    Ok(gateway)
}

/// What runs, where, and a line to try it.
pub(crate) fn announce(system: &SystemDirectory, gateway: Option<&Gateway>, mut text: String) {
    if let Some(gateway) = gateway {
        for (scheme, address) in [("http", gateway.http()), ("https", gateway.https())] {
            if let Some(address) = address {
                text += &format!("{scheme}://{}\n", host_and_port(address));
            }
        }
        let routes = gateway.routes();
        for (method, path) in routes.iter().take(ROUTES_SHOWN) {
            text += &format!("  {method} {path}\n");
        }
        if let Some(more @ 1..) = routes.len().checked_sub(ROUTES_SHOWN) {
            text += &format!("  and {more} more\n");
        }
        let shown = std::fs::read_to_string(system.root.join("try-it.txt")).ok();
        if let (Some(line), Some(address)) = (shown, gateway.http()) {
            text += "\nTry it:\n\n";
            text += &line.replace("{server}", &format!("http://{}", host_and_port(address)));
        }
    }
    text += "\nCtrl-C stops it.\n";
    print(&text);
    service::notify("READY=1");
}
