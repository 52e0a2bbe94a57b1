//! Map files: what was compiled is what is loaded, and damage is found.

use super::{ORDER, mapset};
use transom_bms::PhysicalMapset;

#[test]
fn a_mapset_survives_its_file() {
    let set = mapset(ORDER);
    let file = set.to_bytes();
    assert_eq!(PhysicalMapset::from_bytes(&file), Ok(set));
    assert!(file.len() < 512, "{}", file.len());
}

#[test]
fn damage_is_refused() {
    let file = mapset(ORDER).to_bytes();
    for end in 0..file.len() {
        assert!(PhysicalMapset::from_bytes(&file[..end]).is_err());
    }
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        assert!(PhysicalMapset::from_bytes(&damaged).is_err(), "byte {at}");
    }
    let error = PhysicalMapset::from_bytes(b"TXMMAP\0\x02........").unwrap_err();
    assert_eq!(
        error.to_string(),
        "TXMBM0020E no usable map file: it is of another version"
    );
}

/// With a right checksum the reader meets every kind of nonsense and must still answer.
#[test]
fn nonsense_with_a_right_checksum_never_panics() {
    let file = mapset(ORDER).to_bytes();
    let sum = |body: &[u8]| {
        body.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
            (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let mut seed = 1u32;
    for _ in 0..20_000 {
        let mut damaged = file.clone();
        for _ in 0..3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = 16 + (seed >> 8) as usize % (file.len() - 16);
            damaged[at] = (seed >> 3) as u8;
        }
        let right = sum(&damaged[16..]).to_be_bytes();
        damaged[8..16].copy_from_slice(&right);
        if let Ok(set) = PhysicalMapset::from_bytes(&damaged) {
            use_it(&set);
        }
    }
}

fn use_it(set: &PhysicalMapset) {
    let data = [0xff; 300];
    for map in &set.maps {
        let options = transom_bms::SendOptions::default();
        if let Ok(write) = transom_bms::merge(map, Some(&data), &options, &super::model2()) {
            write.rows(&super::model2());
        }
        let received = [transom_bms::Received {
            position: 8,
            data: b"123456789"[..].into(),
        }];
        let options = transom_bms::UnpackOptions {
            cursor: 8,
            upper_case: true,
            table: &[0x41; 256],
        };
        let _ = transom_bms::unpack(map, &received, &super::model2(), &options);
    }
}

#[test]
fn a_suffix_is_part_of_the_name_it_is_loaded_by() {
    let set = mapset("QUPSET DFHMSD TYPE=MAP,SUFFIX=9\nM DFHMDI SIZE=(1,5)\n  DFHMSD TYPE=FINAL\n");
    assert_eq!(set.load_name(), "QUPSET9");
}
