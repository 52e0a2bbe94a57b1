//! Datasets and stores.
mod conformance;
mod crash;
mod local;
mod postgres;
mod postgres_faults;
