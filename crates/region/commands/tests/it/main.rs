//! Examples for the region core: commands against a worker that is only memory.

mod fake;

mod abends;
mod association;
mod channels;
mod children;
mod conditions;
mod counters;
mod debugging;
mod definitions;
mod diagnostics;
mod environment;
mod files;
mod inquire;
mod interval;
mod programs;
mod queues;
mod security;
mod start;
mod storage;
mod tasks;
mod terminals;
mod transient;
mod unsupported;
