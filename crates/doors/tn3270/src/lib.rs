//! The 3270 door: telnet listeners, TLS, sessions, and their terminals in a region.

#![forbid(unsafe_code)]
