//! Datasets and stores.
mod conformance;
mod crash;
mod local;
mod log;
mod postgres;
mod postgres_faults;
