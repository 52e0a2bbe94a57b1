//! Datasets and stores.
mod cluster;
mod conformance;
mod crash;
mod local;
mod postgres;
