//! Units of work over the memory engine.
mod joint;
mod participants;
mod units;
