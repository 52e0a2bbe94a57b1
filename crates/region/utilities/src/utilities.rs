//! Runs one text after the other against a store.

use crate::job::run_text;
use crate::options::FileOptions;
use crate::print::SysPrint;
use crate::runner::Runner;
use crate::steps::StepPrograms;
use transom_datasets::Datasets;

/// What statements and jobs run against.
#[derive(Clone, Copy)]
pub struct Utilities<'a> {
    /// The catalog, in a store that is open.
    pub datasets: &'a Datasets,
    /// Where files are.
    pub files: &'a FileOptions,
    /// Days since 1970-01-01: [`today`](crate::today), unless a test says otherwise.
    pub today: u64,
}

impl Utilities<'_> {
    /// Runs a job, or plain statements; answers the highest condition code: 0, 4, 8, 12 or 16.
    /// `name` is what messages call the text, `symbols` are values of `&NAME` in jobs.
    pub fn run(
        &self,
        name: &str,
        text: &str,
        symbols: &[(String, String)],
        print: &mut dyn SysPrint,
    ) -> u8 {
        let mut runner = Runner::new(self.datasets, self.files, self.today, print);
        run_text(&mut runner, name, text, symbols)
    }

    /// The same with the programs of users that steps name. 255: a step ended abnormally.
    pub fn run_job(
        &self,
        (name, text): (&str, &str),
        symbols: &[(String, String)],
        programs: &mut dyn StepPrograms,
        print: &mut dyn SysPrint,
    ) -> u8 {
        let mut runner = Runner::new(self.datasets, self.files, self.today, print);
        runner.programs = Some(programs);
        run_text(&mut runner, name, text, symbols)
    }
}
