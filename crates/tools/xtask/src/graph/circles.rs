//! Circles of a graph: places that reach each other.
//!
//! Tarjan's strongly connected components, without recursion. Not here: what the places are.

use std::collections::BTreeSet;

/// Groups of two or more places that reach each other, largest first.
pub(super) fn circles(places: usize, arrows: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let mut search = Search {
        next: vec![Vec::new(); places],
        number: vec![None; places],
        lowest: vec![0; places],
        open: Vec::new(),
        is_open: vec![false; places],
        found: Vec::new(),
        count: 0,
    };
    for (from, to) in arrows {
        search.next[*from].push(*to);
    }
    for place in 0..places {
        if search.number[place].is_none() {
            search.from(place);
        }
    }
    search
        .found
        .sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    search.found
}

struct Search {
    next: Vec<Vec<usize>>,
    /// When a place was reached first.
    number: Vec<Option<usize>>,
    /// The earliest open place it leads to.
    lowest: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    found: Vec<Vec<usize>>,
    count: usize,
}

impl Search {
    fn from(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.reach(start);
        while let Some((place, done)) = path.last_mut() {
            let place = *place;
            if let Some(&to) = self.next[place].get(*done) {
                *done += 1;
                match self.number[to] {
                    None => {
                        self.reach(to);
                        path.push((to, 0));
                    }
                    Some(number) if self.is_open[to] => {
                        self.lowest[place] = self.lowest[place].min(number);
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                self.lowest[*before] = self.lowest[*before].min(self.lowest[place]);
            }
            if self.number[place] == Some(self.lowest[place]) {
                self.close(place);
            }
        }
    }

    fn reach(&mut self, place: usize) {
        self.number[place] = Some(self.count);
        self.lowest[place] = self.count;
        self.count += 1;
        self.open.push(place);
        self.is_open[place] = true;
    }

    /// All that is open from `place` on reaches `place`.
    fn close(&mut self, place: usize) {
        let at = self.open.iter().rposition(|p| *p == place).unwrap_or(0);
        let circle = self.open.split_off(at);
        for place in &circle {
            self.is_open[*place] = false;
        }
        if circle.len() > 1 {
            self.found.push(circle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_circles_and_a_way_between_them() {
        let arrows = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (4, 5)];
        let mut found = circles(6, &arrows.into());
        found.iter_mut().for_each(|circle| circle.sort_unstable());
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(circles(3, &[(0, 1), (1, 2), (0, 2)].into()), [[0; 0]; 0]);
    }
}
