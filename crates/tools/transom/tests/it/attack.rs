//! An attacker at the 3270 port: bytes that mean nothing, floods, halves, silence and resets, drawn
//! by a seeded generator (`TRANSOM_SEED`, rounds by `TRANSOM_ATTACKS`).
//!
//! The region lives, a user beside works on, memory and descriptors go back, and the log says no
//! more than it must. Not here: what real terminals send (`judges`).

use crate::judges::{Live, PROGRAMS, Random, User, alone};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const IAC: u8 = 0xFF;
const SB: u8 = 0xFA;
const SE: u8 = 0xF0;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().unwrap())
}

fn noise(random: &mut Random, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|_| random.below(256) as u8).collect()
}

/// One thing an attacker may say before any logon.
fn rubbish(random: &mut Random) -> Vec<u8> {
    let options = [0u8, 1, 6, 24, 25, 31, 39, 40, 46, 200];
    let option = |random: &mut Random| options[random.below(options.len())];
    match random.below(8) {
        0 => {
            let bytes = 1 + random.below(4_096);
            noise(random, bytes)
        }
        // Options, switched on and off without end.
        1 => (0..3_000)
            .flat_map(|_| [IAC, 0xFB + random.below(4) as u8, option(random)])
            .collect(),
        // A subnegotiation that never ends.
        2 => {
            let mut bytes = vec![IAC, SB, option(random)];
            let length = random.below(20_000);
            bytes.extend(noise(random, length).into_iter().filter(|b| *b != IAC));
            bytes
        }
        // TN3270E words at random.
        3 => {
            let mut bytes = vec![IAC, 0xFB, 40];
            for _ in 0..200 {
                bytes.extend([IAC, SB, 40]);
                let length = random.below(12);
                bytes.extend((0..length).map(|_| random.below(10) as u8));
                bytes.extend([IAC, SE]);
            }
            bytes
        }
        // A device of an endless name, and one with an endless LU.
        4 => {
            let mut bytes = vec![IAC, 0xFB, 40, IAC, SB, 40, 2, 7];
            bytes.extend(b"IBM-3278-2");
            bytes.push(1);
            let length = random.below(3_000);
            bytes.resize(bytes.len() + length, b'A');
            bytes.extend([IAC, SE]);
            bytes
        }
        // Variables of NEW-ENVIRON, nested wrongly.
        5 => {
            let mut bytes = vec![IAC, 0xFB, 39, IAC, SB, 39, 0];
            bytes.extend((0..1_000).map(|_| random.below(4) as u8));
            bytes.extend([IAC, SE]);
            bytes
        }
        // A record without an end, longer than any.
        6 => vec![0x7D; 200_000],
        _ => [[IAC; 2_000].as_slice(), b"GET / HTTP/1.1\r\n\r\n"].concat(),
    }
}

/// Says it, all at once or in drops, and goes as it likes: close, reset (unread bytes), or half
/// closed.
fn attack(live: &Live, random: &mut Random) {
    let mut socket = live.socket();
    let bytes = rubbish(random);
    if random.below(4) == 0 {
        for byte in bytes.iter().take(60) {
            if socket.write_all(&[*byte]).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_micros(300));
        }
    } else if socket.write_all(&bytes).is_err() {
        return;
    }
    match random.below(3) {
        0 => {
            let _half = socket.shutdown(std::net::Shutdown::Write);
        }
        1 => {
            let _come = socket.read(&mut [0; 1_024]);
        }
        _ => {}
    }
}

/// A record of a terminal that is logged on: an AID and whatever.
fn record(random: &mut Random) -> Vec<u8> {
    let aids = [
        0x7D, 0x6D, 0x88, 0x60, 0xF3, 0x6C, 0x61, 0xE8, 0x00, 0x01, 0xFF,
    ];
    let mut record = vec![aids[random.below(aids.len())]];
    let length = random.below(3_000);
    match random.below(4) {
        // Structured fields of wrong lengths.
        0 => {
            for _ in 0..random.below(20) {
                record.extend([random.below(256) as u8, random.below(256) as u8, 0x81]);
            }
        }
        // Many fields, addresses anywhere.
        1 => {
            for _ in 0..random.below(400) {
                record.extend([0x11, random.below(256) as u8, random.below(256) as u8]);
                record.extend([0xC1; 3]);
            }
        }
        2 => record.extend(noise(random, length)),
        _ => record.extend([0x40, 0x40]),
    }
    record
}

#[test]
fn rubbish_of_every_kind_disturbs_nobody() {
    let _alone = alone();
    let rounds = number("TRANSOM_ATTACKS", 300);
    let mut random = Random(number("TRANSOM_SEED", 0x3270_E000));
    let mut live = Live::with(&PROGRAMS, "", "logon_seconds = 3\n");
    let mut bystander = User::logon(&live, Some("BYSTAND"));
    bystander.shows("===>");
    bystander.works("FIRST");
    let before = live.held();
    for round in 0..rounds {
        attack(&live, &mut random);
        if round % 50 == 0 {
            live.lives();
            bystander.works("WORK");
        }
    }
    // Logged on, at a program of maps, at one that reads, at none.
    for round in 0..rounds / 10 {
        let mut user = User::logon(&live, None);
        match round % 3 {
            0 => user.enters("MENU"),
            1 => user.enters("TALK"),
            _ => {}
        }
        for _ in 0..20 {
            let record = record(&mut random);
            user.client.send(&record);
            let out = std::mem::take(user.client.output());
            let out = match random.below(3) {
                0 => random.damage(&out),
                _ => out,
            };
            user.raw(&out);
        }
        // Without having read anything: a reset.
        drop(user);
        live.lives();
    }
    bystander.works("LAST");
    let after = live.settles(before);
    println!("{rounds} rounds: {before:?} -> {after:?}");
    assert!(after.kilobytes < before.kilobytes + 30_000, "it grows");
    let log = live.log();
    assert!(log.lines().count() < 2_000, "the log is flooded:\n{log}");
    live.stops();
}

#[test]
fn a_thousand_that_say_nothing_and_resets_in_mid_screen() {
    let _alone = alone();
    let mut live = Live::with(&PROGRAMS, "", "logon_seconds = 2\nmax_sessions = 2000\n");
    live.begins_records();
    let mut bystander = User::logon(&live, None);
    bystander.shows("===>");
    bystander.works("FIRST");
    let before = live.held();
    let begin = Instant::now();
    let silent: Vec<TcpStream> = (0..1_000).map(|_| live.socket()).collect();
    bystander.works("DURING");
    let during = live.held();
    assert!(during.kilobytes < before.kilobytes + 40_000, "{during:?}");
    // They are closed without having said a word.
    let settled = live.settles(before);
    assert!(begin.elapsed() < Duration::from_secs(20));
    drop(silent);
    println!("1000 silent: {before:?} -> {during:?} -> {settled:?}");
    for _ in 0..50 {
        let mut user = User::logon(&live, None);
        user.enters("MANY");
        // Gone in the middle of a flood of screens, without having read them.
        drop(user);
    }
    bystander.works("LAST");
    let after = live.settles(before);
    assert!(after.kilobytes < before.kilobytes + 40_000, "{after:?}");
    live.stops();
}
