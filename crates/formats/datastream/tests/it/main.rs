//! The crate from outside: dialogues, screens, recorded sessions, damaged input.

mod damaged;
mod dialogue;
mod emulator;
mod screens;
mod traces;
