//! Sign-on, passwords, authority: SIGNON, SIGNOFF, VERIFY and CHANGE of passwords and phrases,
//! QUERY SECURITY, the checks before commands.
//!
//! Worker side: checks arguments, asks the region, answers what it learned. A password goes no
//! further than the request; no trace, log or dump shows it. Not here: registries and checks
//! (region side).

pub(crate) mod authority;
pub(crate) mod check;
pub(crate) mod perform_security;
pub(crate) mod query_security;
pub(crate) mod sign_off;
