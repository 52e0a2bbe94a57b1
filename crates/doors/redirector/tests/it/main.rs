//! Sessions through the redirector, with hosts and clients that behave and that do not.

mod clients;
mod modes;
mod reload;
mod support;
mod targets;
