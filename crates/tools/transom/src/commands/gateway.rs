//! `transom gateway`: only the API gateway; regions are reached through local adapters.
//!
//! What: server.xml and archives of a system directory are served, each registration of server.xml
//! is a pool of connections. Nothing is compiled or installed here, and a region may come and go:
//! its APIs answer 503 meanwhile. Not here: the region's side (`transom run`).

use super::build::stop_on_errors;
use super::run::{announce, start_gateway, start_telemetry, stop_gateway, stopping};
use crate::lives::Lives;
use crate::memory;
use crate::system::{self, SystemDirectory, adapters, descriptors, gateway};
use clap::Args;
use std::path::PathBuf;
use tokio::signal::unix::{SignalKind, signal};
use transom_gateway::Companion;
use transom_intersystem::{LocalAdapters, Reached};
use transom_log::{operator, serve_as};
use transom_messages as messages;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom run my-system --no-gateway
  transom gateway my-system")]
pub(crate) struct GatewayArgs {
    /// The system directory
    dir: PathBuf,
    /// HTTP port in place of the one in server.xml
    #[arg(long)]
    http: Option<u16>,
    /// HTTPS port in place of the one in server.xml
    #[arg(long)]
    https: Option<u16>,
}

pub(crate) fn run(args: &GatewayArgs) -> Result<(), String> {
    let (mut system, found) = system::open(&args.dir)?;
    stop_on_errors(&args.dir, &found)?;
    start_telemetry(&system)?;
    let mut setup = gateway::read(&system)?
        .ok_or_else(|| messages::si::no_server_xml(args.dir.display()).to_string())?;
    let few = descriptors::bound(&mut system, Some(&mut setup), false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| messages::si::gateway_cannot_start(&e).to_string())?;
    if let Some(few) = few {
        operator().tell(few);
    }
    runtime.block_on(serve(args, &system, setup))
}

async fn serve(
    args: &GatewayArgs,
    system: &SystemDirectory,
    setup: gateway::Setup,
) -> Result<(), String> {
    let failed = |e: std::io::Error| messages::si::gateway_cannot_start(&e).to_string();
    serve_as(&system.settings.log, &system.root, None)?;
    memory::give_back().map_err(failed)?;
    let (lives, mut ended) = Lives::new();
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let table = system.settings.adapters.clone().unwrap_or_default();
    let folder = adapters::group(&table, &system.root, setup.adapters.group.as_ref());
    let applid = &system.settings.region.applid;
    let (regions, pools) = adapters::regions(&table, &folder, applid, &setup.adapters);
    let ready = format!(
        "gateway is ready, regions meet it in {}\n",
        folder.display()
    );
    // Connections belong to the thread that serves requests.
    let gateway = start_gateway((args.http, args.https), setup, regions, keep(pools, &lives))?;
    announce(system, Some(&gateway), ready);
    let mut outcome = Ok(());
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        part = ended.recv() => {
            outcome = Err(messages::si::part_ended(part.unwrap_or_default()).to_string());
        }
    }
    operator().tell(stopping());
    stop_gateway(gateway).await;
    transom_otlp::stop();
    outcome
}

/// Opens connections before they are needed, and tells when a region comes or goes.
fn keep(pools: Vec<LocalAdapters>, lives: &Lives) -> Companion {
    let connections = lives.must_live("the thread of requests");
    Box::pin(async move {
        let _connections = connections;
        let mut keepers = tokio::task::JoinSet::new();
        for pool in pools {
            keepers.spawn(pool.keep(|name, state| match state {
                Reached::Yes => operator().tell(messages::is::connected(name)),
                Reached::No(why) => operator().tell(messages::is::not_connected(why)),
            }));
        }
        while keepers.join_next().await.is_some() {}
        // Without registrations there is nothing to keep; the thread of requests goes on.
        std::future::pending::<()>().await;
    })
}
