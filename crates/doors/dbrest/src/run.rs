//! Running a service: parameters in, rows or a count out.
//!
//! What: a result that is small travels with its length; of a large one some rows are in memory at
//! a time, and the client sees the status before the last of them is read. Not here: SQL.

use crate::asked::Asked;
use crate::reply::{self, Failure, ReplyBody};
use crate::rows::{END, RowsBody, Writer};
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Map, Value};
use std::future::poll_fn;
use transom_region_api::{Given, RestBlock, RestFailure, RestResult, RestRows, RestServiceName};

/// Bytes of a value with its name, as room is made for a result.
const VALUE: usize = 24;

/// Runs a service with the members of the request.
pub(crate) async fn answer(
    asked: &Asked<'_>,
    name: RestServiceName,
    body: Map<String, Value>,
) -> Result<Response<ReplyBody>, Failure> {
    let given = body.into_iter().map(|(name, value)| (name, given(value)));
    let services = &asked.shared.desk.services;
    let done = services.run(asked.by, name.clone(), given.collect()).await;
    let failed = |why: RestFailure| Failure::of(why, &name, "execution");
    match done.map_err(failed)? {
        RestResult::Count(count) => Ok(reply::document(
            StatusCode::OK,
            format!(
                r#"{{"Update Count":{count},"StatusCode":200,"StatusDescription":"Execution Successful"}}"#
            ),
        )),
        RestResult::Rows(columns, mut rows) => {
            let first = poll_fn(|context| rows.poll_block(context)).await;
            let broken = || RestFailure::Unavailable("the result broke off".to_owned());
            let first = first.unwrap_or_else(|| Err(broken())).map_err(failed)?;
            Ok(result(&columns, rows, &first))
        }
    }
}

fn given(value: Value) -> Given {
    match value {
        Value::Null => Given::Null,
        Value::Bool(truth) => Given::Truth(truth),
        Value::Number(number) => Given::Number(number.to_string()),
        Value::String(text) => Given::Text(text),
        Value::Array(_) | Value::Object(_) => Given::Structure,
    }
}

fn result(columns: &[String], rows: Box<dyn RestRows>, first: &RestBlock) -> Response<ReplyBody> {
    let mut text = String::with_capacity(first.rows.len() * columns.len() * VALUE + 256);
    text += r#"{"ResultSet Output":["#;
    let mut writer = Writer::new(columns);
    writer.rows(&mut text, &first.rows);
    if first.last {
        text += END;
        return reply::document(StatusCode::OK, text);
    }
    let body = RowsBody::new(text, writer, rows);
    let mut response = Response::new(ReplyBody::Rows(Box::new(body)));
    let json = HeaderValue::from_static("application/json;charset=UTF-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
