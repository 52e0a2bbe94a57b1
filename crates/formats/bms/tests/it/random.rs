//! Sources nobody would write: reading, compiling and using what comes of them never fails badly.

use super::{ORDER, columns, model2};
use transom_bms::{
    Content, Device, ExtraSet, PageBuilder, PhysicalMapset, Received, SendOptions, UnpackOptions,
    copybook, merge, read, unpack,
};
use transom_datastream::ScreenSize;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const PIECES: [&str; 24] = [
    "OCCURS=4096",
    "OCCURS=3",
    "LENGTH=0",
    "LENGTH=256",
    "POS=1919",
    "POS=(24,80)",
    "GRPNAME=G",
    "INITIAL='x'",
    "XINIT=C1",
    "PICOUT='9(99999)'",
    "SIZE=(240,68)",
    "SIZE=(1,1)",
    "LINE=NEXT",
    "COLUMN=SAME",
    "JUSTIFY=(RIGHT,ZERO)",
    "JUSTIFY=LAST",
    "TRAILER=YES",
    "DSATTS=(COLOR,TRANSP)",
    "MODE=OUT",
    "'",
    "(",
    ")",
    ",",
    "=",
];

fn mutated(dice: &mut Dice) -> String {
    let mut text: Vec<char> = columns(ORDER).chars().collect();
    for _ in 0..1 + dice.roll(6) {
        let at = dice.roll(text.len());
        match dice.roll(4) {
            0 => {
                text.remove(at);
            }
            1 => text.insert(at, char::from(dice.roll(128) as u8)),
            2 => text[at] = char::from(dice.roll(256) as u8),
            _ => {
                let piece = PIECES[dice.roll(PIECES.len())];
                // Often where an operand begins, so that it is read as one.
                let comma = text.iter().skip(at).position(|c| *c == ',');
                let at = comma.map_or(at, |c| at + c + 1);
                text.splice(at..at, piece.chars().chain([',']));
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn mutated_sources() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut usable = 0;
    for _ in 0..4000 {
        let source = read("random.bms", &mutated(&mut dice));
        for mapset in &source.mapsets {
            usable += 1;
            copybook(mapset);
            let physical = PhysicalMapset::from(mapset);
            let file = physical.to_bytes();
            assert_eq!(PhysicalMapset::from_bytes(&file), Ok(physical.clone()));
            use_all(&physical, &mut dice);
        }
    }
    assert!(
        usable > 300,
        "{usable}: mutations are too wild to test anything"
    );
}

fn use_all(set: &PhysicalMapset, dice: &mut Dice) {
    let small = Device {
        size: ScreenSize::new(5, 40).expect("a size"),
        extras: ExtraSet::classic(),
    };
    let table = [b'a'; 256];
    let mut page = PageBuilder::new(model2());
    for map in &set.maps {
        let area: Vec<u8> = (0..map.area_bytes.min(9000))
            .map(|_| dice.roll(256) as u8)
            .collect();
        for content in [Content::Merged, Content::MapOnly, Content::DataOnly] {
            let options = SendOptions {
                content,
                ..SendOptions::default()
            };
            for device in [model2(), small] {
                if let Ok(write) = merge(map, Some(&area), &options, &device) {
                    write.to_stream(&device, &table);
                    write.rows(&device);
                }
            }
            let _ = page.add(map, Some(&area), &options, dice.roll(30) as u16);
        }
        let received = Received {
            position: dice.roll(2000) as u16,
            data: area.as_slice().into(),
        };
        let options = UnpackOptions {
            cursor: dice.roll(3000) as u16,
            upper_case: true,
            table: &table,
        };
        let _ = unpack(map, &[received], &model2(), &options);
    }
    if let Some(write) = page.finish() {
        write.to_stream(&model2(), &table);
    }
}
