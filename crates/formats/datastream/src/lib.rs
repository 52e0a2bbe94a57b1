//! The 3270 data stream in and out, telnet and TN3270E negotiation, and a screen model.

#![forbid(unsafe_code)]
