//! The door from outside: real sockets, a database and users made up for it.
