//! Units of work: what a store must offer, and how work becomes durable or is backed out.

#![forbid(unsafe_code)]
