//! Sums over records, in memory that does not grow with their number.
//!
//! What: least, most, average and deviation of the response time, its distribution in steps of at
//! most 1.6 %, and sums of all other fields that a report shows. Not here: tables.

use transom_monitoring::{FieldId, Record, field};

/// Steps between a power of two and the next.
const STEPS: u64 = 64;

/// Clocks and counts that are added up.
pub(crate) const SUMMED: &[FieldId] = &[
    field::USRDISPT,
    field::USRCPUT,
    field::SUSPTIME,
    field::DSPDELAY,
    field::DISPWTT,
    field::FCIOWTT,
    field::TSIOWTT,
    field::TDIOWTT,
    field::JCIOWTT,
    field::DB2WAIT,
    field::TCIOWTT,
    field::ICDELAY,
    field::ENQDELAY,
    field::FCTOTCT,
    field::TSTOTCT,
    field::TDTOTCT,
    field::PCLINKCT,
    field::DB2REQCT,
    field::TCCHRIN1,
    field::TCCHROU1,
    field::QRDISPT,
    field::QRCPUT,
    field::KY8DISPT,
    field::KY8CPUT,
    field::CHMODECT,
];

/// Sums over some records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sums {
    pub(crate) tasks: u64,
    pub(crate) abended: u64,
    pub(crate) least_ns: u64,
    pub(crate) most_ns: u64,
    total_ns: f64,
    squares: f64,
    /// Records by step of their response time, sorted by step.
    steps: Vec<(u16, u64)>,
    sums: [u64; SUMMED.len()],
}

impl Sums {
    /// One record more.
    pub(crate) fn add(&mut self, record: &Record) {
        let response = record.response_ns();
        self.least_ns = match self.tasks {
            0 => response,
            _ => self.least_ns.min(response),
        };
        self.tasks += 1;
        self.abended += u64::from(!record.text(field::ABCODEC).is_empty());
        self.most_ns = self.most_ns.max(response);
        self.total_ns += response as f64;
        self.squares += (response as f64).powi(2);
        let step = step_of(response);
        match self.steps.binary_search_by_key(&step, |(step, _)| *step) {
            Ok(at) => self.steps[at].1 += 1,
            Err(at) => self.steps.insert(at, (step, 1)),
        }
        for (sum, id) in self.sums.iter_mut().zip(SUMMED) {
            *sum = sum.saturating_add(record.number(*id));
        }
    }

    /// The sum of a field of [`SUMMED`].
    pub(crate) fn sum(&self, id: FieldId) -> u64 {
        let at = SUMMED.iter().position(|known| *known == id);
        at.map_or(0, |at| self.sums[at])
    }

    /// The sum of a field divided by the number of tasks.
    pub(crate) fn average(&self, id: FieldId) -> f64 {
        self.sum(id) as f64 / self.tasks.max(1) as f64
    }

    /// Average response in seconds.
    pub(crate) fn response_s(&self) -> f64 {
        self.total_ns / self.tasks.max(1) as f64 / 1e9
    }

    /// Its standard deviation in seconds.
    pub(crate) fn deviation_s(&self) -> f64 {
        let tasks = self.tasks.max(1) as f64;
        let mean = self.total_ns / tasks;
        (self.squares / tasks - mean * mean).max(0.0).sqrt() / 1e9
    }

    /// So many percent of the records took no longer, in seconds; at most the longest.
    pub(crate) fn percentile_s(&self, percent: u64) -> f64 {
        let wanted = (self.tasks * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (step, records) in &self.steps {
            seen += records;
            if seen >= wanted {
                let end = end_of(*step).clamp(self.least_ns, self.most_ns);
                return end as f64 / 1e9;
            }
        }
        self.most_ns as f64 / 1e9
    }

    /// Processor time in seconds.
    pub(crate) fn cpu_s(&self) -> f64 {
        self.sum(field::USRCPUT) as f64 / 1e9
    }

    /// Transactions for each second of processor time.
    pub(crate) fn itr(&self) -> f64 {
        match self.cpu_s() {
            0.0 => 0.0,
            cpu => self.tasks as f64 / cpu,
        }
    }
}

fn step_of(ns: u64) -> u16 {
    let power = 63_u64.saturating_sub(u64::from((ns | 1).leading_zeros()));
    // Below the number of steps each nanosecond is its own.
    let shift = power.saturating_sub(STEPS.ilog2().into());
    (shift * STEPS + (ns >> shift)) as u16
}

/// The longest time of a step.
fn end_of(step: u16) -> u64 {
    let step = u64::from(step);
    let shift = (step / STEPS).saturating_sub(1).min(57);
    let within = step - shift * STEPS;
    ((within + 1) << shift).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(responses: impl Iterator<Item = u64>) -> Sums {
        let mut sums = Sums::default();
        for ns in responses {
            let mut record = Record::default();
            record
                .set(field::STOP, ns)
                .add_clock(field::USRCPUT, 1_000_000, 1);
            sums.add(&record);
        }
        sums
    }

    #[test]
    fn every_time_lies_in_its_step() {
        for ns in (0..2_000).chain([1 << 20, (1 << 33) + 7, u64::MAX / 3]) {
            let end = end_of(step_of(ns));
            assert!(
                end >= ns && end as f64 <= ns as f64 * 1.016 + 1.0,
                "{ns}: {end}"
            );
        }
    }

    #[test]
    fn figures_of_known_times() {
        let sums = of((1..=1_000).map(|ms| ms * 1_000_000));
        assert_eq!(
            (sums.tasks, sums.least_ns, sums.most_ns),
            (1_000, 1_000_000, 1_000_000_000)
        );
        assert!((sums.response_s() - 0.5005).abs() < 1e-9);
        assert!((sums.percentile_s(90) / 0.9 - 1.0).abs() < 0.017);
        assert!((sums.deviation_s() - 0.288_675).abs() < 1e-5);
        assert!((sums.itr() - 1_000.0).abs() < 1e-6);
        assert_eq!(of([5].into_iter()).percentile_s(90), 5e-9);
        assert_eq!(Sums::default().percentile_s(90), 0.0);
    }
}
