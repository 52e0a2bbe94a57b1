// A copybook with every kind of field, compiled once.

use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{CharVarying, Characters, LayoutOptions, Properties, RecordFormat, Redefinition, Shape};
use transom_copybook::{Layout, ParseOptions, Profile, parse};

const BOOK: &str = "
       01  REC.
           05  COUNTER         PIC 9(4) COMP.
           05  NAME            PIC X(20).
           05  ZONED           PIC S9(7)V99.
           05  LEADING         PIC S9(5) SIGN LEADING SEPARATE.
           05  PACKED          PIC S9(15)V9(3) COMP-3.
           05  NATIVE          PIC S9(9) COMP-5.
           05  SINGLE          COMP-1.
           05  WIDE            COMP-2.
           05  EDITED          PIC Z(5)9.99.
           05  EITHER          PIC X(8).
           05  ORELSE REDEFINES EITHER PIC 9(8).
           05  SIMPLE          PIC X(3) OCCURS 4 TIMES.
           05  ROWS OCCURS 0 TO 20 TIMES DEPENDING ON COUNTER.
               10  CODE-1      PIC X(2).
               10  AMOUNT      PIC S9(5)V99 COMP-3.
";

pub fn shape() -> Shape {
    let (book, _) = parse(BOOK, &ParseOptions::default());
    let layout = Layout::new(&book, Profile::Host).expect("the copybook is right");
    let names: Vec<String> = layout.ids().map(|id| layout[id].name.clone()).collect();
    let options = LayoutOptions {
        names: &names,
        include: &|_| true,
        redefines: &|_| Redefinition::All,
        wrap_simple_arrays: false,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    Shape::from_layout(&layout, None, &options).expect("the copybook is right")
}

#[allow(dead_code)]
pub fn decoder() -> Decoder {
    Decoder::compile(&shape(), &Properties::default(), &RecordFormat::host(37)).expect("it compiles")
}

#[allow(dead_code)]
pub fn encoder() -> Encoder {
    Encoder::compile(&shape(), &Properties::default(), &RecordFormat::host(37)).expect("it compiles")
}
