//! Datasets and stores.
mod conformance;
