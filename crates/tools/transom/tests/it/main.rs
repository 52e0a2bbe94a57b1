//! Acceptance tests: the executable, its region and its gateway, as a user meets them.

mod adapters;
mod bank;
mod commands;
mod files;
mod harness;
mod hostile;
mod idcams;
mod program;
mod sample;
mod terminals;
mod supplied;
mod tutorial;
mod users;
