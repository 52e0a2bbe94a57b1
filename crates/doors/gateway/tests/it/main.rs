//! The gateway from outside: real sockets, a small HTTP client, a region made of closures.

mod admin;
mod archives;
mod cabasic {
    pub(crate) mod setup;
}
mod errors;
mod http;
mod many;
mod r1;
mod region;
mod requests;
mod secure;
mod slow;
mod support;
