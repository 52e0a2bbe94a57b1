//! Rows as JSON objects, written block by block.
//!
//! Not here: what is around them (`run`).

use crate::json;
use bytes::Bytes;
use hyper::body::Frame;
use std::task::{Context, Poll, ready};
use transom_region_api::{RestRows, SqlDatum};

/// Behind the last row.
pub(crate) const END: &str = r#"],"StatusCode":200,"StatusDescription":"Execution Successful"}"#;

/// A result that broke off: its connection ends, so that nobody takes a part for the whole.
#[derive(Debug)]
pub(crate) struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the result broke off")
    }
}

impl std::error::Error for BrokenOff {}

/// Rows as JSON, block by block.
pub(crate) struct RowsBody {
    /// What is written already.
    begun: Option<String>,
    writer: Writer,
    /// `None`: all is sent.
    rows: Option<Box<dyn RestRows>>,
}

impl RowsBody {
    /// With what is written already.
    pub(crate) fn new(begun: String, writer: Writer, rows: Box<dyn RestRows>) -> Self {
        Self {
            begun: Some(begun),
            writer,
            rows: Some(rows),
        }
    }

    /// The next piece.
    pub(crate) fn poll_text(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        let frame = |text: String| Poll::Ready(Some(Ok(Frame::data(Bytes::from(text)))));
        if let Some(begun) = self.begun.take() {
            return frame(begun);
        }
        let Some(rows) = &mut self.rows else {
            return Poll::Ready(None);
        };
        let Some(Ok(block)) = ready!(rows.poll_block(context)) else {
            self.rows = None;
            return Poll::Ready(Some(Err(BrokenOff)));
        };
        let mut text = String::new();
        self.writer.rows(&mut text, &block.rows);
        if block.last {
            self.rows = None;
            text += END;
        }
        frame(text)
    }
}

/// Writes rows as objects.
pub(crate) struct Writer {
    /// In front of each value: `{"EMPNO":` or `,"FIRSTNME":`.
    names: Vec<String>,
    /// There are rows already.
    some: bool,
}

impl Writer {
    pub(crate) fn new(columns: &[String]) -> Self {
        let name = |(n, column): (usize, &String)| {
            let mut out = String::from(if n == 0 { "{" } else { "," });
            json::string(&mut out, column);
            out.push(':');
            out
        };
        Self {
            names: columns.iter().enumerate().map(name).collect(),
            some: false,
        }
    }

    pub(crate) fn rows(&mut self, out: &mut String, rows: &[Vec<SqlDatum>]) {
        for row in rows {
            if self.some {
                out.push(',');
            }
            self.some = true;
            for (name, value) in self.names.iter().zip(row) {
                out.push_str(name);
                json::value(out, value);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_objects() {
        let mut writer = Writer::new(&["A".to_owned(), "b\"c".to_owned()]);
        let row = |n| vec![SqlDatum::Integer(n), SqlDatum::Text("x ".to_owned())];
        let mut out = String::new();
        writer.rows(&mut out, &[row(1)]);
        writer.rows(&mut out, &[row(2)]);
        assert_eq!(out, r#"{"A":1,"b\"c":"x "},{"A":2,"b\"c":"x "}"#);
    }
}
