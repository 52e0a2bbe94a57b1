//! VSAM-style datasets with record locks, on LMDB, in memory and on PostgreSQL.

