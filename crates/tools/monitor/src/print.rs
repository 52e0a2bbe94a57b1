//! The way of results to the user, which whoever has the command line brings.

/// Prints results.
pub type Print = fn(&str);
