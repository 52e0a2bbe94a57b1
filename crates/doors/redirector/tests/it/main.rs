//! Sessions through the redirector, with hosts and clients that behave and that do not.

mod attacks;
mod clients;
mod lus;
mod modes;
mod reload;
mod support;
mod targets;
mod withdrawn;
