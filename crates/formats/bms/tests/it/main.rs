//! Maps as users write them, and what becomes of them.

mod carddemo;
