//! Maps as users write them, and what becomes of them.

mod carddemo;
mod file;
mod page;
mod random;
mod receive;
mod send;
mod source;
mod terminal;

use transom_bms::{Device, ExtraSet, PhysicalMap, PhysicalMapset, read};
use transom_datastream::ScreenSize;

/// Sources in tests are written without column 72: each line that ends with a comma is continued.
fn columns(source: &str) -> String {
    let line = |l: &str| match l.ends_with(',') {
        true => format!("{l:<71}-\n"),
        false => format!("{l}\n"),
    };
    source.lines().map(line).collect()
}

fn mapset(source: &str) -> PhysicalMapset {
    let found = read("test.bms", &columns(source));
    let problems: Vec<String> = found
        .problems
        .iter()
        .map(|p| p.id_first().to_string())
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    (&found.mapsets[0]).into()
}

fn map(source: &str) -> PhysicalMap {
    mapset(source).maps.remove(0)
}

/// A 24 by 80 colour terminal.
fn model2() -> Device {
    Device {
        size: ScreenSize::MODEL_2,
        extras: ExtraSet::all(),
    }
}

/// A small screen of an order entry application.
const ORDER: &str = "\
ORDSET  DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,STORAGE=AUTO,
               TIOAPFX=YES,CTRL=FREEKB,EXTATT=YES
ORDMAP  DFHMDI SIZE=(5,40),LINE=1,COLUMN=1
        DFHMDF POS=(1,1),LENGTH=6,INITIAL='Order:',ATTRB=(PROT,BRT)
NUMBER  DFHMDF POS=(1,8),LENGTH=6,ATTRB=(UNPROT,NUM,IC)
        DFHMDF POS=(1,15),LENGTH=0,ATTRB=ASKIP
TEXT    DFHMDF POS=(2,1),LENGTH=10,ATTRB=UNPROT,INITIAL='none',
               COLOR=GREEN,HILIGHT=UNDERLINE
        DFHMDF POS=(2,12),LENGTH=0
MSG     DFHMDF POS=(5,1),LENGTH=38,ATTRB=(ASKIP,BRT),COLOR=RED
        DFHMSD TYPE=FINAL
        END
";
