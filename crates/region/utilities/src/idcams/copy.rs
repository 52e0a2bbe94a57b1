//! Commands about records: REPRO, PRINT, BLDINDEX, VERIFY.

use crate::loads;
use crate::places::{Places, Target, shown};
use crate::print::{Failure, Progress, failure};
use crate::records::files::{Other, RecordWriter};
use crate::records::input::{Input, Item, lengths};
use crate::records::output::Output;
use crate::runner::Runner;
use transom_datasets::{DatasetName, Entry};
use transom_idcams::{BuildIndex, Place, Print, Range, Repro, Verify, listing};
use transom_messages::id;
use transom_recovery::wait;

/// Records between two words about the progress.
const PROGRESS_EVERY: u64 = 500;
/// From this condition code on records are missing.
const LOAD_FAILED: u8 = 8;

pub(crate) fn repro(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    repro: &Repro,
) -> Result<u8, Failure> {
    let target = places.output(&repro.to)?;
    let cluster = match &target {
        Target::Catalog(name) => Some(name.clone()),
        _ => None,
    };
    if let Some(name) = &cluster
        && !loads::wanted(runner, name)?
    {
        return Ok(0);
    }
    let sources = places.input(&repro.from)?;
    apart(runner, &sources, &target)?;
    let inward = lengths(runner, &target);
    let outward = sources
        .first()
        .map(|s| lengths(runner, s))
        .unwrap_or_default();
    let mut inputs = Inputs::open(runner, sources, &repro.range, inward)?;
    let mut output = Output::open(runner, target, outward, repro)?;
    let mut count = 0;
    let copied = transfer(runner, &mut inputs, &mut output, &mut count);
    if let Output::Cluster(cluster) = &output {
        count = cluster.loaded;
    }
    let finished = match (output, &copied) {
        (Output::File(writer), Ok(())) => {
            runner.report.lines(writer.unturned());
            writer.finish().map(|()| 0)
        }
        (Output::Cluster(cluster), _) => Ok(if cluster.refused > 0 { 8 } else { 0 }),
        _ => Ok(0),
    };
    if let Err(failure) = copied {
        runner.report.line(&failure.text);
        runner.report.line(id::records_processed(count));
        return Ok(failure.code);
    }
    let code = finished?;
    if let Some(name) = cluster.filter(|_| code < LOAD_FAILED) {
        loads::done(runner, &name)?;
    }
    inputs.unturned(runner);
    runner.report.line(id::records_processed(count));
    Ok(code)
}

/// A data set that is added to itself would never end.
fn apart(runner: &Runner<'_>, sources: &[Target], target: &Target) -> Result<(), Failure> {
    let table = |target: &Target| match target {
        Target::Catalog(name) => runner
            .datasets
            .dataset(name)
            .ok()
            .map(|d| d.table().to_owned()),
        _ => None,
    };
    let own = table(target);
    let same = |source: &Target| own.is_some() && table(source) == own;
    match (target, sources.iter().any(same)) {
        (Target::Catalog(name), true) => Err(Failure::new(12, id::read_by_same_command(name))),
        _ => Ok(()),
    }
}

fn transfer(
    runner: &mut Runner<'_>,
    inputs: &mut Inputs,
    output: &mut Output,
    count: &mut u64,
) -> Result<(), Failure> {
    while let Some(item) = inputs.next(runner)? {
        match output {
            Output::Cluster(cluster) => cluster.put(runner, item)?,
            Output::File(writer) => writer.write(item.record)?,
            Output::Nothing => {}
        }
        *count += 1;
    }
    if let Output::Cluster(cluster) = output {
        cluster.flush(runner)?;
    }
    Ok(())
}

pub(crate) fn print(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    print: &Print,
) -> Result<u8, Failure> {
    if runner.existing.is_some() {
        return Ok(0);
    }
    let sources = places.input(&print.from)?;
    let mut out = match &print.to {
        Some(place) => print_file(runner, places, place)?,
        None => None,
    };
    let heading = format!("LISTING OF DATA SET -{}", shown(&print.from));
    put_lines(runner, &mut out, &heading)?;
    let outward = lengths(runner, &Target::Nothing);
    let mut inputs = Inputs::open(runner, sources, &print.range, outward)?;
    let mut count = 0;
    while let Some(item) = inputs.next(runner)? {
        count += 1;
        let heading = inputs.heading(&item, print.range.skip + count);
        let text = listing::record(&heading, &item.record, print.format);
        put_lines(runner, &mut out, &text)?;
    }
    if let Some(writer) = out {
        writer.finish()?;
    }
    runner.report.line(id::records_processed(count));
    Ok(0)
}

/// The file PRINT writes to; none for what is printed.
fn print_file(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    place: &Place,
) -> Result<Option<RecordWriter>, Failure> {
    let mut file = match places.output(place)? {
        Target::File(file) => file,
        Target::Nothing | Target::Instream(_) => return Ok(None),
        Target::Catalog(name) => {
            let text = id::listing_needs_file(name);
            return Err(Failure::new(12, text));
        }
    };
    // Lines, unless somebody says otherwise.
    if file.attributes.format.is_none() && file.declared.is_none() {
        file.attributes.format = Some("line".to_owned());
    }
    let mut notes = Vec::new();
    let writer = RecordWriter::create(&file, Other::default(), &mut notes)?;
    runner.report.lines(notes);
    Ok(Some(writer))
}

fn put_lines(
    runner: &mut Runner<'_>,
    out: &mut Option<RecordWriter>,
    text: &str,
) -> Result<(), Failure> {
    let Some(writer) = out else {
        runner.report.line(text);
        return Ok(());
    };
    for line in text.lines() {
        // What a listing shows is ISO 8859-1.
        let bytes = line
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'.'));
        writer.write(bytes.collect())?;
    }
    Ok(())
}

/// All sources of a command one after the other, SKIP and COUNT applied.
struct Inputs {
    list: Vec<Input>,
    at: usize,
    left: u64,
    given: u64,
}

impl Inputs {
    fn open(
        runner: &mut Runner<'_>,
        sources: Vec<Target>,
        range: &Range,
        other: Other,
    ) -> Result<Self, Failure> {
        let mut list = Vec::new();
        for source in sources {
            list.push(Input::open(runner, source, range, other)?);
        }
        let mut inputs = Self {
            list,
            at: 0,
            left: u64::MAX,
            given: 0,
        };
        for _ in 0..range.skip {
            if inputs.next(runner)?.is_none() {
                break;
            }
        }
        inputs.left = range.count.unwrap_or(u64::MAX);
        Ok(inputs)
    }

    fn next(&mut self, runner: &mut Runner<'_>) -> Result<Option<Item>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        while let Some(input) = self.list.get_mut(self.at) {
            if let Some(item) = input.next()? {
                self.left -= 1;
                self.given += 1;
                if self.given.is_multiple_of(PROGRESS_EVERY) {
                    runner.report.progress(Some(self.progress()));
                }
                return Ok(Some(item));
            }
            self.at += 1;
        }
        Ok(None)
    }

    /// Says what of floating point had no value on the other side.
    fn unturned(&self, runner: &mut Runner<'_>) {
        for input in &self.list {
            if let Input::File(reader) = input {
                runner.report.lines(reader.unturned());
            }
        }
    }

    /// How many records a cluster has is not known without reading them.
    fn progress(&self) -> Progress {
        let files = self.list.iter().filter_map(Input::progress);
        let both = files.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1));
        Progress {
            records: self.given,
            bytes: both,
        }
    }

    fn heading(&self, item: &Item, number: u64) -> String {
        let input = self.list.get(self.at);
        input.map_or(String::new(), |i| i.heading(item, number))
    }
}

pub(crate) fn build_index(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    build: &BuildIndex,
) -> Result<u8, Failure> {
    let base = catalog_name(places, &build.base)?;
    let mut code = 0;
    for place in &build.indexes {
        let name = catalog_name(places, place)?;
        if runner.keeps(name.as_str()) && !runner.filling.contains(&base) {
            continue;
        }
        // An alternate index, or a path over one.
        let name = match runner.datasets.entry(&name) {
            Some(Entry::Path(path)) => path.entry,
            _ => name,
        };
        match runner.datasets.entry(&name) {
            Some(Entry::AlternateIndex(index)) if index.base == base => {}
            Some(Entry::AlternateIndex(index)) => {
                let is = format!("an ALTERNATEINDEX of {}", index.base);
                let text = id::wrong_type(name, is, "BLDINDEX", format!("one of {base}"));
                return Err(Failure::new(12, text));
            }
            _ => {
                let text = id::wrong_type(name, "a CLUSTER", "BLDINDEX", "an ALTERNATEINDEX");
                return Err(Failure::new(12, text));
            }
        }
        let left_out = wait(runner.datasets.build_index(&name)).map_err(failure)?;
        for key in &left_out {
            runner
                .report
                .line(id::alternate_key_exists(listing::key(key)));
            code = 8;
        }
        runner
            .report
            .line(id::done(format!("ALTERNATEINDEX {name}"), "is built"));
    }
    Ok(code)
}

pub(crate) fn verify(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    verify: &Verify,
) -> Result<u8, Failure> {
    let name = catalog_name(places, &verify.place)?;
    let dataset = runner.datasets.dataset(&name).map_err(failure)?;
    let tables: Vec<String> = [Some(dataset.table()), dataset.index_table()]
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    let mut code = 0;
    for table in &tables {
        let damaged = wait(runner.datasets.store().verify(table)).map_err(|e| failure(e.into()))?;
        for damage in damaged.iter().filter(|d| d.table == *table) {
            runner
                .report
                .line(crate::verify::shown(runner.datasets, damage));
            code = 8;
        }
    }
    if code == 0 {
        runner.report.line(id::done(name, "is verified"));
    }
    Ok(code)
}

/// The catalog entry a place means.
fn catalog_name(places: &Places<'_>, place: &Place) -> Result<DatasetName, Failure> {
    match places.input(place)?.pop() {
        Some(Target::Catalog(name)) => Ok(name),
        _ => Err(Failure::new(8, id::not_found(shown(place)))),
    }
}
