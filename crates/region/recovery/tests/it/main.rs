//! Units of work over the memory engine.
mod joint;
mod own_tables;
mod participants;
mod units;
