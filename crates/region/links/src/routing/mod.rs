//! Transactions of terminals that another region runs.
//!
//! What: in the region of the terminal a relay task asks for it (`relay`), where one region of
//! several may be chosen (`choice`, by `balance`); in the other one a task
//! runs whose terminal is a surrogate (`surrogate`): what it asks of its terminal goes back over
//! the session and is asked of the terminal itself, for the relay task. Why so: whatever a region
//! does for the terminal of a task of its own - input typed ahead, printers that confirm, messages
//! of several pages - it does for one of another region. A relay task may itself have a surrogate,
//! so a request passes regions on its way. The end of the session is the end of the task. Not here:
//! terminals and tasks (`desk`), which transactions are routed where (`region/server`,
//! `region/supplied`).

pub(crate) mod away;
pub(crate) mod balance;
mod choice;
mod duplex;
mod hosted;
mod relay;
mod surrogate;

pub(crate) use surrogate::Surrogates;

#[cfg(test)]
mod tests;
