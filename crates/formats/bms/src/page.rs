//! SEND MAP ACCUM: several maps on one page.
//!
//! Maps go from top to bottom and, where there is room, beside each other. A page tells when the
//! next map does not fit (OVERFLOW); what then happens, trailers, headers and a new page, is the
//! program's affair. Not here: keeping and sending of pages.

use crate::merge::{SizeError, merge_at};
use crate::model::{Spot, Vertical};
use crate::physical::PhysicalMap;
use crate::screen::{Device, Erase, ScreenWrite, SendOptions};

/// A page under construction.
#[derive(Debug, Clone)]
pub struct PageBuilder {
    device: Device,
    write: Option<ScreenWrite>,
    /// Columns taken from the left and from the right, line by line.
    taken: Vec<(u16, u16)>,
    last: Option<Last>,
    only_headers: bool,
}

/// Where the last map went.
#[derive(Debug, Clone, Copy)]
struct Last {
    row: u16,
    /// Distance from the margin, for COLUMN=SAME.
    margin: u16,
}

/// Whether a map found room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// It is on the page, its upper left corner at this line and column, from 0.
    Placed(u16, u16),
    /// It is not: the page is full (OVERFLOW).
    Overflow,
}

impl PageBuilder {
    /// An empty page.
    pub fn new(device: Device) -> Self {
        Self {
            device,
            write: None,
            taken: vec![(0, 0); usize::from(device.rows())],
            last: None,
            only_headers: true,
        }
    }

    /// Nothing is on the page.
    pub fn is_empty(&self) -> bool {
        self.write.is_none()
    }

    /// Puts a map on the page.
    ///
    /// `reserve` is the number of lines kept free for a trailer
    /// ([`crate::PhysicalMapset::trailer_rows`]) while the program handles OVERFLOW, else 0; it
    /// does not count for trailers themselves.
    ///
    /// # Errors
    /// The map is larger than an empty page.
    pub fn add(
        &mut self,
        map: &PhysicalMap,
        data: Option<&[u8]>,
        options: &SendOptions,
        reserve: u16,
    ) -> Result<Placement, SizeError> {
        if map.rows > self.device.rows() || map.columns > self.device.columns() {
            let needed = (u32::from(map.rows), u32::from(map.columns));
            return Err(SizeError { needed });
        }
        let reserve = if map.trailer { 0 } else { reserve };
        let Some((row, column, margin)) = self.place(map, reserve) else {
            return Ok(Placement::Overflow);
        };
        for (left, right) in self.lines(row, map.rows) {
            if map.right {
                *right = margin + map.columns;
            } else {
                *left = margin + map.columns;
            }
        }
        if !map.header && !map.trailer {
            self.last = Some(Last { row, margin });
        } else if let Some(last) = &mut self.last {
            last.row = row;
        } else {
            self.last = Some(Last { row, margin: 0 });
        }
        self.only_headers &= map.header;
        let write = merge_at(map, data, options, &self.device, (row, column));
        self.join(write);
        Ok(Placement::Placed(row, column))
    }

    /// SEND CONTROL on the page: a write without orders.
    pub fn control(&mut self, write: &ScreenWrite) {
        self.join(ScreenWrite {
            orders: Vec::new(),
            ..write.clone()
        });
    }

    /// The page as one write; `None` if nothing is on it.
    pub fn finish(self) -> Option<ScreenWrite> {
        self.write
    }

    fn lines(&mut self, row: u16, rows: u16) -> impl Iterator<Item = &mut (u16, u16)> {
        let (row, rows) = (usize::from(row), usize::from(rows));
        self.taken.iter_mut().skip(row).take(rows)
    }

    /// First line below everything on the page.
    fn free_row(&self) -> u16 {
        let used = self.taken.iter().rposition(|t| *t != (0, 0));
        used.map_or(0, |row| row as u16 + 1)
    }

    /// Line, column and distance from the margin, or nothing if the page is full.
    fn place(&self, map: &PhysicalMap, reserve: u16) -> Option<(u16, u16, u16)> {
        let bottom = self.device.rows().saturating_sub(reserve);
        let last_row = self.last.map_or(0, |l| l.row);
        if map.vertical == Vertical::First && !self.is_empty() && !self.only_headers {
            return None;
        }
        let row = match (map.vertical, map.line) {
            (Vertical::Last | Vertical::Bottom, _) => {
                bottom.checked_sub(map.rows).filter(|r| *r >= last_row)?
            }
            // An absolute line above the last map belongs to a new page.
            (_, Spot::At(line)) => Some(line.max(1) - 1).filter(|r| *r >= last_row)?,
            (_, Spot::Next) => self.free_row(),
            (_, Spot::Same) => last_row,
        };
        let fits = |row: u16| row.checked_add(map.rows).is_some_and(|end| end <= bottom);
        if !fits(row) {
            return None;
        }
        if let Some((column, margin)) = self.column(map, row) {
            return Some((row, column, margin));
        }
        // Beside what is there it does not fit: below.
        let below = self.free_row();
        let low = matches!(map.vertical, Vertical::Last | Vertical::Bottom);
        if low || below <= row || !fits(below) {
            return None;
        }
        let (column, margin) = self.column(map, below)?;
        Some((below, column, margin))
    }

    /// Column and distance from the margin at a line, if the map's columns are free there.
    fn column(&self, map: &PhysicalMap, row: u16) -> Option<(u16, u16)> {
        let lines = self
            .taken
            .iter()
            .skip(usize::from(row))
            .take(usize::from(map.rows));
        let (left, right) = lines.fold((0, 0), |(l, r), t| (t.0.max(l), t.1.max(r)));
        let (own, other) = if map.right {
            (right, left)
        } else {
            (left, right)
        };
        let margin = match map.column {
            Spot::At(n) => n.max(1) - 1,
            Spot::Next => own,
            Spot::Same => self.last.map_or(0, |l| l.margin),
        };
        let end = margin.checked_add(map.columns)?;
        let free = self.device.columns().checked_sub(other)?;
        if margin < own || end > free {
            return None;
        }
        let column = if map.right {
            self.device.columns() - end
        } else {
            margin
        };
        Some((column, margin))
    }

    /// One page is one write: erased if any map asks for it, with the controls of the last map and
    /// the cursor of the last that asked for one.
    fn join(&mut self, write: ScreenWrite) {
        let Some(page) = &mut self.write else {
            self.write = Some(write);
            return;
        };
        page.orders.extend(write.orders);
        page.controls = write.controls;
        if page.erase == Erase::Keep {
            page.erase = write.erase;
        }
        page.cursor = write.cursor.or(page.cursor);
    }
}
