//! Units of work over the memory engine.
mod units;
