//! What terminals ask for, as the specification draws it (clauses 2.4 to 2.8 and 5.2.3).
//!
//! What: one of five transactions by weight, with its COMMAREA. Why by number: a request of the
//! same number is the same in each run. Not here: answers.

/// Share of each transaction in a hundred; the rest are new orders.
const PAYMENT: u64 = 43;
const OTHERS: u64 = 4;
/// Constants of NURand: customers, items, last names.
const CUSTOMER: (u64, u64) = (1023, 259);
const ITEM: (u64, u64) = (8191, 7911);
const SURNAME: (u64, u64) = (255, 123);
/// Lengths of the COMMAREAs, as the copybooks of `samples/tpcc/copy` have them.
const NEW_ORDER_BYTES: usize = 871;
const PAYMENT_BYTES: usize = 461;
const STATUS_BYTES: usize = 531;
const DELIVERY_BYTES: usize = 33;
const STOCK_BYTES: usize = 15;
/// Syllables of last names.
const SYLLABLES: [&str; 10] = [
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING",
];

/// How much is loaded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) warehouses: u64,
    pub(super) items: u64,
    pub(super) customers: u64,
}

/// The five.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::NewOrder,
        Self::Payment,
        Self::OrderStatus,
        Self::Delivery,
        Self::StockLevel,
    ];

    /// Program and transaction.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::NewOrder => ("TPCNO", "TPNO"),
            Self::Payment => ("TPCPY", "TPPY"),
            Self::OrderStatus => ("TPCOS", "TPOS"),
            Self::Delivery => ("TPCDL", "TPDL"),
            Self::StockLevel => ("TPCSL", "TPSL"),
        }
    }

    /// Where its answer says what became of it.
    pub(super) fn status_at(self) -> usize {
        match self {
            Self::NewOrder => 192,
            Self::Payment => 38,
            Self::OrderStatus => 26,
            Self::Delivery => 6,
            Self::StockLevel => 8,
        }
    }
}

/// The request of a number.
pub(super) fn request(number: u64, scale: Scale) -> (Kind, Vec<u8>) {
    let mut random = Random(number.wrapping_mul(0x9E37_79B9).wrapping_add(17));
    let kind = match random.below(100) {
        n if n < PAYMENT => Kind::Payment,
        n if n < PAYMENT + OTHERS => Kind::OrderStatus,
        n if n < PAYMENT + 2 * OTHERS => Kind::Delivery,
        n if n < PAYMENT + 3 * OTHERS => Kind::StockLevel,
        _ => Kind::NewOrder,
    };
    let warehouse = 1 + random.below(scale.warehouses);
    let district = 1 + random.below(10);
    let (text, bytes) = match kind {
        Kind::NewOrder => (
            new_order(&mut random, scale, (warehouse, district)),
            NEW_ORDER_BYTES,
        ),
        Kind::Payment => (
            payment(&mut random, scale, (warehouse, district)),
            PAYMENT_BYTES,
        ),
        Kind::OrderStatus => {
            let customer = customer(&mut random, scale);
            (
                format!("{warehouse:04}{district:02}{customer}"),
                STATUS_BYTES,
            )
        }
        Kind::Delivery => {
            let carrier = 1 + random.below(10);
            (format!("{warehouse:04}{carrier:02}"), DELIVERY_BYTES)
        }
        Kind::StockLevel => {
            let threshold = 10 + random.below(11);
            (
                format!("{warehouse:04}{district:02}{threshold:02}"),
                STOCK_BYTES,
            )
        }
    };
    let mut area = text.into_bytes();
    area.resize(bytes, b'0');
    (kind, area)
}

fn new_order(random: &mut Random, scale: Scale, (warehouse, district): (u64, u64)) -> String {
    let customer = random.uneven(CUSTOMER, 1, scale.customers);
    let lines = 5 + random.below(11);
    let rolls_back = random.below(100) == 0;
    let mut text = format!("{warehouse:04}{district:02}{customer:04}{lines:02}");
    for line in 1..=lines {
        let mut item = random.uneven(ITEM, 1, scale.items);
        if rolls_back && line == lines {
            item = 999_999;
        }
        let remote = random.below(100) == 0;
        let supply = if remote {
            other(random, scale, warehouse)
        } else {
            warehouse
        };
        let quantity = 1 + random.below(10);
        text += &format!("{item:06}{supply:04}{quantity:02}");
    }
    text
}

fn payment(random: &mut Random, scale: Scale, (warehouse, district): (u64, u64)) -> String {
    let (of, within) = match random.below(100) < 15 {
        true => (other(random, scale, warehouse), 1 + random.below(10)),
        false => (warehouse, district),
    };
    let customer = customer(random, scale);
    let cents = 100 + random.below(499_901);
    format!("{warehouse:04}{district:02}{of:04}{within:02}{customer}{cents:06}")
}

/// Number and last name: 60 of 100 come by their last name.
fn customer(random: &mut Random, scale: Scale) -> String {
    match random.below(100) < 60 {
        true => {
            let most = scale.customers.min(1_000) - 1;
            let last = surname(random.uneven(SURNAME, 0, most));
            format!("0000{last:16}")
        }
        false => format!(
            "{:04}{:16}",
            random.uneven(CUSTOMER, 1, scale.customers),
            ""
        ),
    }
}

/// The last name of a number.
pub(super) fn surname(number: u64) -> String {
    let digit = |n: u64| SYLLABLES[(n % 10) as usize];
    [digit(number / 100), digit(number / 10), digit(number)].concat()
}

/// Another warehouse, where there is one.
fn other(random: &mut Random, scale: Scale, warehouse: u64) -> u64 {
    match scale.warehouses {
        1 => warehouse,
        all => (warehouse + random.below(all - 1)) % all + 1,
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % limit.max(1)
    }

    /// NURand(A, low, high).
    fn uneven(&mut self, (a, c): (u64, u64), low: u64, high: u64) -> u64 {
        let span = high - low + 1;
        let either = self.below(a + 1) | (low + self.below(span));
        (either + c) % span + low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale {
        warehouses: 10,
        items: 100_000,
        customers: 3_000,
    };

    #[test]
    fn the_mix_is_that_of_the_specification() {
        let all: Vec<_> = (0..20_000).map(|n| request(n, SCALE)).collect();
        let share = |kind| {
            let of = all.iter().filter(|(k, _)| *k == kind).count();
            of as f64 * 100.0 / all.len() as f64
        };
        assert!((44.0..46.0).contains(&share(Kind::NewOrder)));
        assert!((42.0..44.0).contains(&share(Kind::Payment)));
        for kind in [Kind::OrderStatus, Kind::Delivery, Kind::StockLevel] {
            assert!((3.5..4.5).contains(&share(kind)), "{kind:?}");
        }
        let orders = all.iter().filter(|(k, _)| *k == Kind::NewOrder);
        let invalid = orders.filter(|(_, area)| area.windows(6).any(|six| six == b"999999"));
        let invalid = invalid.count() as f64 / all.len() as f64 * 100.0 / 0.45;
        assert!((0.6..1.5).contains(&invalid), "{invalid}");
        let payments = all.iter().filter(|(k, _)| *k == Kind::Payment);
        let (mut remote, mut named, mut count) = (0.0, 0.0, 0.0);
        for (_, area) in payments {
            count += 1.0;
            remote += f64::from(u8::from(area[0..4] != area[6..10]));
            named += f64::from(u8::from(&area[12..16] == b"0000"));
        }
        assert!((13.5..16.5).contains(&(remote * 100.0 / count)));
        assert!((58.0..62.0).contains(&(named * 100.0 / count)));
    }

    #[test]
    fn last_names_are_syllables_of_digits() {
        assert_eq!(surname(371), "PRICALLYOUGHT");
        assert_eq!(surname(0), "BARBARBAR");
    }
}
