//! IDCAMS statements, alone or inside the SYSIN of JCL.

#![forbid(unsafe_code)]
