//! SEND MAP ACCUM: a report page of header, detail lines and trailer.

use super::{mapset, model2};
use transom_bms::{Device, Erase, PageBuilder, Placement, SendOptions};

const REPORT: &str = "\
RPT     DFHMSD TYPE=MAP,MODE=OUT
HEAD    DFHMDI SIZE=(1,80),HEADER=YES,JUSTIFY=FIRST
        DFHMDF POS=(1,1),LENGTH=6,INITIAL='REPORT'
LINE    DFHMDI SIZE=(1,30),LINE=NEXT,COLUMN=1
TEXT    DFHMDF POS=(1,1),LENGTH=5
SIDE    DFHMDI SIZE=(1,30),LINE=SAME,COLUMN=NEXT
        DFHMDF POS=(1,1),LENGTH=5,INITIAL='aside'
FOOT    DFHMDI SIZE=(2,80),TRAILER=YES,JUSTIFY=LAST
        DFHMDF POS=(2,1),LENGTH=3,INITIAL='END'
        DFHMSD TYPE=FINAL
";

#[test]
fn lines_until_overflow_then_a_trailer() {
    let device = Device {
        size: transom_datastream::ScreenSize::new(6, 80).expect("a size"),
        ..model2()
    };
    let set = mapset(REPORT);
    let add = |page: &mut PageBuilder, name: &str, text: &[u8]| {
        let options = SendOptions {
            erase: Erase::Default,
            ..SendOptions::default()
        };
        let area = [&[0, 0, 0], text].concat();
        let map = set.map(name).expect("defined");
        page.add(map, Some(&area), &options, set.trailer_rows())
            .expect("fits a page")
    };
    let mut page = PageBuilder::new(device);
    assert_eq!(add(&mut page, "HEAD", b""), Placement::Placed(0, 0));
    assert_eq!(add(&mut page, "LINE", b"one"), Placement::Placed(1, 0));
    assert_eq!(add(&mut page, "SIDE", b""), Placement::Placed(1, 30));
    assert_eq!(add(&mut page, "LINE", b"two"), Placement::Placed(2, 0));
    assert_eq!(add(&mut page, "LINE", b"three"), Placement::Placed(3, 0));
    assert_eq!(add(&mut page, "LINE", b"four"), Placement::Overflow);
    assert_eq!(add(&mut page, "FOOT", b""), Placement::Placed(4, 0));
    let write = page.finish().expect("not empty");
    let rows: Vec<String> = write
        .rows(&device)
        .iter()
        .map(|r| r.trim_end().to_owned())
        .collect();
    assert_eq!(
        rows,
        [
            " REPORT",
            " one                           aside",
            " two",
            " three",
            "",
            " END"
        ]
    );
    assert_eq!(write.erase, Erase::Default);
}

#[test]
fn alone_only_bottom_is_low() {
    let source = |justify: &str| {
        format!(
            "SET      DFHMSD TYPE=MAP,MODE=OUT,LANG=COBOL\nM        DFHMDI SIZE=(2,80),LINE=3,JUSTIFY={justify}\n         DFHMDF POS=(1,1),LENGTH=1,INITIAL='X'\n         DFHMSD TYPE=FINAL\n"
        )
    };
    for (justify, row) in [("LAST", 3), ("BOTTOM", 23), ("FIRST", 3)] {
        let mapset = super::mapset(&source(justify));
        let mapset = transom_bms::PhysicalMapset::from_bytes(&mapset.to_bytes()).expect("a file");
        let options = transom_bms::SendOptions::default();
        let write = transom_bms::merge(&mapset.maps[0], None, &options, &super::model2());
        let rows = write.expect("fits").rows(&super::model2());
        assert_eq!(rows[row - 1].trim(), "X", "{justify}");
    }
}
