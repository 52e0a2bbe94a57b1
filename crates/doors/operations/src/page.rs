//! The status page: what the metrics say, for people.
//!
//! What: region, tasks, APIs with their descriptions, files, queues, the last messages. Why without
//! a script: there is nothing to click but links, and no script can be slipped in where none may
//! run. All that comes from programs, files and clients goes through `escape`. Not here: headers
//! (`reply`).

use crate::desk::{Desk, Opened, Told};
use crate::{escape, health, names};
use std::fmt::Write as _;
use transom_messages::Severity;
use transom_region_api::{FileRow, Listed, QueueRow, TaskRow};
use transom_telemetry::OperationFigures;

/// The page's style sheet.
pub(crate) const STYLE: &str = include_str!("style.css");
/// Rows of each table; metrics have all.
const ROWS: usize = 200;

/// A page under construction.
struct Page(String);

/// The page. `refresh`: it loads itself again every few seconds.
pub(crate) fn page(desk: &Desk, rows_max: usize, refresh: bool) -> String {
    let mut page = Page(String::with_capacity(32 * 1_024));
    let lists = desk.overview.lists(rows_max.min(ROWS));
    let opened = desk.opened.get();
    page.head(desk, refresh);
    page.region(desk, opened);
    page.tasks(&lists.tasks);
    if let Some(opened) = opened {
        page.operations(opened);
    }
    page.files(&lists.files);
    page.queues(&lists.queues);
    page.told(&(desk.told)());
    page.0.push_str("</main>\n</body>\n</html>\n");
    page.0
}

impl Page {
    fn raw(&mut self, html: &str) {
        self.0.push_str(html);
    }

    fn text(&mut self, text: &str) {
        escape::put(&mut self.0, text);
    }

    fn name(&mut self, desk: &Desk) {
        let applid = desk.control.info().map(|info| info.applid);
        let applid = applid.as_ref().map_or("?", |applid| applid.as_str());
        self.text(applid);
    }

    fn head(&mut self, desk: &Desk, refresh: bool) {
        self.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        if refresh {
            self.raw("<meta http-equiv=\"refresh\" content=\"5\">\n");
        }
        self.raw(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        );
        self.name(desk);
        self.raw(" - Transom</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n");
        self.raw("<body>\n<header><h1>Region ");
        self.name(desk);
        self.raw("</h1>\n<nav>");
        self.raw(match refresh {
            true => "<a href=\"/\">Stop refreshing</a>",
            false => "<a href=\"/?refresh\">Refresh every 5 s</a>",
        });
        self.raw(
            " <a href=\"/metrics\">Metrics</a> <a href=\"/health\">Health</a></nav></header>\n",
        );
        self.raw("<main>\n");
    }

    /// A table with its heading; a sentence where it is empty.
    fn table(
        &mut self,
        id: &str,
        (title, shown, total): (&str, usize, usize),
        heads: &[&str],
    ) -> bool {
        let _infallible = write!(self.0, "<section id=\"{id}\">\n<h2>{title} <small>");
        let _infallible = match shown < total {
            true => write!(self.0, "{shown} of {total}"),
            false => write!(self.0, "{total}"),
        };
        self.raw("</small></h2>\n");
        if shown == 0 {
            self.raw("<p>None.</p>\n</section>\n");
            return false;
        }
        self.raw("<table>\n<thead><tr>");
        for head in heads {
            let _infallible = write!(self.0, "<th scope=\"col\">{head}</th>");
        }
        self.raw("</tr></thead>\n<tbody>\n");
        true
    }

    fn end_table(&mut self) {
        self.raw("</tbody>\n</table>\n</section>\n");
    }

    fn row(&mut self, cells: &[&str]) {
        self.raw("<tr>");
        for cell in cells {
            self.raw("<td>");
            self.text(cell);
            self.raw("</td>");
        }
        self.raw("</tr>\n");
    }

    fn region(&mut self, desk: &Desk, opened: Option<&Opened>) {
        let Ok(info) = desk.control.info() else {
            return self.raw("<p>The region does not answer.</p>\n");
        };
        let (word, class) = match (health::is_ready(desk), info.stopping) {
            (true, _) => ("takes work", "good"),
            (false, true) => ("is stopping", "bad"),
            (false, false) => ("does not take work", "bad"),
        };
        let _infallible = write!(
            self.0,
            "<section id=\"region\">\n<p class=\"state {class}\">The region {word}.</p>\n<dl>"
        );
        let facts = [
            ("SYSIDNT", info.sysid.as_str().to_owned()),
            ("Tasks", format!("{} of {}", info.tasks, info.max_tasks)),
            ("COBOL workers", info.workers.to_string()),
            ("Version", desk.version.to_owned()),
        ];
        for (name, value) in &facts {
            let _infallible = write!(self.0, "<div><dt>{name}</dt><dd>");
            self.text(value);
            self.raw("</dd></div>");
        }
        for listener in opened.into_iter().flat_map(|o| &o.listeners) {
            self.raw("<div><dt>Listener</dt><dd>");
            self.text(listener);
            self.raw("</dd></div>");
        }
        self.raw("</dl>\n</section>\n");
    }

    fn tasks(&mut self, tasks: &Listed<TaskRow>) {
        let heads = [
            "Task",
            "Transaction",
            "Program",
            "User",
            "Terminal",
            "Waits for",
        ];
        let about = ("Tasks", tasks.rows.len(), tasks.total);
        if !self.table("tasks", about, &heads) {
            return;
        }
        for task in &tasks.rows {
            self.row(&[
                &task.number.to_string(),
                &names::text(task.transid.as_bytes()),
                &names::text(task.program.as_bytes()),
                &names::text(task.userid.as_bytes()),
                &names::text(task.terminal.as_bytes()),
                &task.waits_for,
            ]);
        }
        self.end_table();
    }

    fn operations(&mut self, opened: &Opened) {
        let all = (opened.operations)();
        let shown = &all[..all.len().min(ROWS)];
        let heads = [
            "API",
            "Operation",
            "Requests",
            "Failures",
            "Mean time",
            "Description",
        ];
        let about = ("APIs and services", shown.len(), all.len());
        if !self.table("apis", about, &heads) {
            return;
        }
        for one in shown {
            self.operation(one, opened.apis_at.as_deref());
        }
        self.end_table();
    }

    fn operation(&mut self, one: &OperationFigures, at: Option<&str>) {
        let named = match one.api.is_empty() {
            true => format!("service {}", one.path),
            false => format!("{} {}{}", one.method, one.base_path, one.path),
        };
        let mean = match one.times.count() {
            0 => String::new(),
            _ => format!("{:.1} ms", one.times.mean().as_secs_f64() * 1_000.0),
        };
        let (requests, failures) = (one.requests.to_string(), one.failures.to_string());
        self.raw("<tr>");
        for cell in [&one.api, &named, &requests, &failures, &mean] {
            self.raw("<td>");
            self.text(cell);
            self.raw("</td>");
        }
        self.raw("<td>");
        if let (Some(at), false) = (at, one.api.is_empty()) {
            self.raw("<a href=\"");
            self.text(&format!("{at}{}/openapi", one.base_path));
            self.raw("\">OpenAPI</a>");
        }
        self.raw("</td></tr>\n");
    }

    fn files(&mut self, files: &Listed<FileRow>) {
        let heads = ["File", "Data set", "State", "Requests"];
        let about = ("Files", files.rows.len(), files.total);
        if !self.table("files", about, &heads) {
            return;
        }
        for file in &files.rows {
            let used = file.requests.iter().filter(|(_, count)| *count > 0);
            let used: Vec<_> = used
                .map(|(kind, count)| format!("{kind} {count}"))
                .collect();
            self.row(&[
                &names::text(file.name.as_bytes()),
                &file.dsname,
                if file.open { "open" } else { "closed" },
                &used.join(", ").replace('_', " "),
            ]);
        }
        self.end_table();
    }

    fn queues(&mut self, queues: &Listed<QueueRow>) {
        let about = ("Queues", queues.rows.len(), queues.total);
        if !self.table("queues", about, &["Queue", "Kind", "Items"]) {
            return;
        }
        for queue in &queues.rows {
            let items = queue
                .items
                .map_or_else(String::new, |items| items.to_string());
            self.row(&[&names::text(&queue.name), queue.kind, &items]);
        }
        self.end_table();
    }

    fn told(&mut self, told: &Told) {
        let shown = &told.lines[told.lines.len().saturating_sub(ROWS)..];
        let total = told.counts.iter().sum::<u64>();
        let total = usize::try_from(total)
            .unwrap_or(usize::MAX)
            .max(shown.len());
        let about = ("Messages", shown.len(), total);
        if !self.table("messages", about, &["Time", "Level", "Message"]) {
            return;
        }
        for line in shown.iter().rev() {
            let level = match line.level {
                Severity::Information => "information",
                Severity::Warning => "warning",
                Severity::Error | Severity::Severe => "error",
            };
            let _infallible = write!(self.0, "<tr class=\"{level}\"><td>");
            self.text(&moment(line.unix_ms));
            let _infallible = write!(self.0, "</td><td>{level}</td><td class=\"text\">");
            self.text(&line.text);
            self.raw("</td></tr>\n");
        }
        self.end_table();
    }
}

/// Time of a day, UTC.
fn moment(unix_ms: u64) -> String {
    let seconds = unix_ms / 1_000 % 86_400;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02} UTC", seconds % 60)
}
