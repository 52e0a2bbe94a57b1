//! BMS maps: DFHMSD/DFHMDI/DFHMDF source in, physical maps and symbolic copybooks out.

#![forbid(unsafe_code)]
