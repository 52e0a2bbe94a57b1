//! JSON schemas of requests and responses, in the words of Db2.

use serde_json::{Map, Value, json};
use transom_region_api::RestColumn;
use transom_sql::{Family, Type};

const DRAFT: &str = "http://json-schema.org/draft-04/schema#";
/// What a date looks like.
const DATE: &str = "^(?![0]{4})([0-9]{4})-(0?[1-9]|1[0-2])-(0?[1-9]|[1-2][0-9]|3[0-1])$";

/// What a request must have.
pub(crate) fn request(service: &str, parameters: &[RestColumn]) -> Value {
    let mut schema = object(parameters);
    schema["$schema"] = DRAFT.into();
    schema["description"] = format!("Service {service} invocation HTTP request body").into();
    ordered(schema)
}

/// What a response has. Without columns it says how many rows were changed.
pub(crate) fn response(service: &str, columns: Option<&[RestColumn]>) -> Value {
    let (name, result) = match columns {
        Some(columns) => {
            let mut row = object(columns);
            row["description"] = "ResultSet Row".into();
            ("ResultSet Output", json!({"type": "array", "items": row}))
        }
        None => (
            "Update Count",
            json!({
                "type": "integer", "multipleOf": 1, "minimum": 0,
                "description": "Number of rows that were changed"
            }),
        ),
    };
    json!({
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            name: result,
            "StatusDescription": {
                "type": "string",
                "description": "Service invocation status description"
            },
            "StatusCode": {
                "type": "integer", "multipleOf": 1, "minimum": 100, "maximum": 600,
                "description": "Service invocation HTTP status code"
            }
        },
        "required": ["StatusDescription", "StatusCode", name],
        "description": format!("Service {service} invocation HTTP response body")
    })
}

fn object(columns: &[RestColumn]) -> Value {
    let properties: Map<String, Value> = columns
        .iter()
        .map(|column| (column.name.clone(), of(column)))
        .collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    // An empty list of names is none in draft 4.
    if !names.is_empty() {
        schema["required"] = names.into();
    }
    schema
}

/// The version of the schema comes first.
fn ordered(schema: Value) -> Value {
    let Value::Object(mut members) = schema else {
        return schema;
    };
    let first = members.shift_remove("$schema").unwrap_or_default();
    let mut out = Map::from_iter([("$schema".to_owned(), first)]);
    out.extend(members);
    out.into()
}

fn of(column: &RestColumn) -> Value {
    let kind = column.kind;
    let (word, mut schema) = match kind.family() {
        Family::Number => number(kind),
        Family::Date => (
            "string",
            json!({"minLength": 8, "maxLength": 10, "pattern": DATE}),
        ),
        _ => match kind.length() {
            Some(length) => ("string", json!({"maxLength": length})),
            None => ("string", json!({})),
        },
    };
    let name = described(kind);
    let mut out = Map::new();
    let (word, name) = match column.nullable {
        true => (json!(["null", word]), format!("Nullable {name}")),
        false => (json!(word), name),
    };
    out.insert("type".to_owned(), word);
    if let Some(members) = schema.as_object_mut() {
        out.append(members);
    }
    out.insert("description".to_owned(), name.into());
    out.into()
}

fn number(kind: Type) -> (&'static str, Value) {
    let integer = |least: i64, most: i64| {
        let schema = json!({"multipleOf": 1, "minimum": least, "maximum": most});
        ("integer", schema)
    };
    match kind {
        Type::SmallInt => integer(i16::MIN.into(), i16::MAX.into()),
        Type::Integer => integer(i32::MIN.into(), i32::MAX.into()),
        Type::BigInt => integer(i64::MIN, i64::MAX),
        Type::Decimal { precision, scale } => {
            let (precision, scale) = (usize::from(precision), usize::from(scale));
            let most = point(&"9".repeat(precision), scale);
            let step = point("1", scale);
            let schema = json!({
                "multipleOf": exact(&step),
                "minimum": exact(&format!("-{most}")),
                "maximum": exact(&most)
            });
            ("number", schema)
        }
        _ => ("number", json!({})),
    }
}

/// Digits with a point in front of the last `scale` of them.
fn point(digits: &str, scale: usize) -> String {
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    match part {
        "" => whole.to_owned(),
        part => format!("{whole}.{part}"),
    }
}

/// A number with all its digits.
fn exact(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// The type as the schemas of Db2 name it: without blanks, a date with its form.
fn described(kind: Type) -> String {
    match kind {
        Type::Date => "DATE yyyy-[m]m-[d]d".to_owned(),
        kind => kind.to_string().replace(", ", ","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: Type, nullable: bool) -> RestColumn {
        RestColumn {
            name: name.to_owned(),
            kind,
            nullable,
        }
    }

    #[test]
    fn schemas_are_those_of_db2() {
        let all = [
            column("EMPNO", Type::Char(6), false),
            column("EDLEVEL", Type::SmallInt, true),
            column("HIREDATE", Type::Date, true),
            column("SALARY", Type::decimal(9, 2), true),
        ];
        let schema = response("getEmployee", Some(&all)).to_string();
        for part in [
            r#""EMPNO":{"type":"string","maxLength":6,"description":"CHAR(6)"}"#,
            r#""EDLEVEL":{"type":["null","integer"],"multipleOf":1,"minimum":-32768,"maximum":32767,"description":"Nullable SMALLINT"}"#,
            r#""minLength":8,"maxLength":10,"pattern""#,
            r#""description":"Nullable DATE yyyy-[m]m-[d]d""#,
            r#""SALARY":{"type":["null","number"],"multipleOf":0.01,"minimum":-9999999.99,"maximum":9999999.99,"description":"Nullable DECIMAL(9,2)"}"#,
            r#""required":["EMPNO","EDLEVEL","HIREDATE","SALARY"]"#,
            r#""required":["StatusDescription","StatusCode","ResultSet Output"]"#,
        ] {
            assert!(schema.contains(part), "{part}\n{schema}");
        }
        let schema = request("list", &[column("workDept", Type::VarChar(4_000), true)]);
        let wanted = r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"workDept":{"type":["null","string"],"maxLength":4000,"description":"Nullable VARCHAR(4000)"}},"required":["workDept"],"description":"Service list invocation HTTP request body"}"#;
        assert_eq!(schema.to_string(), wanted);
    }
}
