//! Datasets and stores.
mod backup;
mod compact;
mod conformance;
mod crash;
mod full;
mod local;
mod log;
mod postgres;
mod postgres_faults;
mod readers;
mod stale;
