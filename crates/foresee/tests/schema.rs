//! Reports agree with `docs/report.schema.json`, which others generate code from.

mod common;

use common::Place;
use serde_json::Value;

/// The part of JSON Schema that the file uses; what is not known here fails.
fn agrees(value: &Value, schema: &Value, path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let object = schema.as_object().expect("a schema is an object");
    for (key, rule) in object {
        match key.as_str() {
            "$schema" | "title" | "description" => {}
            "const" if value == rule => {}
            "enum" if rule.as_array().unwrap().contains(value) => {}
            "const" | "enum" => problems.push(format!("{path}: {value} is not {rule}")),
            "type" => {
                let types: Vec<&str> = match rule {
                    Value::String(one) => vec![one],
                    several => {
                        several.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
                    }
                };
                if !types.iter().any(|name| is_of(value, name)) {
                    problems.push(format!("{path}: {value} is no {types:?}"));
                }
            }
            "required" => {
                for name in rule.as_array().unwrap().iter().map(|it| it.as_str().unwrap()) {
                    if value.get(name).is_none() {
                        problems.push(format!("{path}: {name} is missing"));
                    }
                }
            }
            "additionalProperties" if rule == true => {}
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                let strange =
                    value.as_object().unwrap().keys().filter(|key| !known.contains_key(*key));
                problems.extend(strange.map(|key| format!("{path}: {key} is not in the schema")));
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        problems.extend(agrees(part, rule, &format!("{path}.{name}")));
                    }
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    problems.extend(agrees(item, rule, &format!("{path}[{i}]")));
                }
            }
            other => panic!("the schema uses `{other}`, which this test does not know"),
        }
    }
    problems
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("a type `{other}`"),
    }
}

#[test]
fn reports_are_as_the_schema_says() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let place = Place::new();
    place.write("lamp.aut", "des (0, 1, 2)\n(0, on, 1)\n");
    let bank = include_str!("../../../examples/bank.erl");
    place.write("bank.erl", bank);
    let lines = [
        "check ping",
        "check single-copy-register servers=2 clients=2 --steps",
        "check ping --states-max 3",
        "check pong",
        "check bank.erl -t race_test --keep-going --steps",
        "check lamp.aut --steps",
        "check paxos --guide 'a forgotten promise'",
        "simulate ping --runs 3",
        "verify lamp.aut --formula '<true>true'",
        "replay single-copy-register.1.trace --steps",
    ];
    let mut n_events = 0;
    for line in lines {
        let said = place.foresee(&format!("{line} --format json"));
        let json: Value = serde_json::from_str(&said.out)
            .unwrap_or_else(|error| panic!("{line}: {error}: {}", said.err));
        let problems = agrees(&json, &schema, "report");
        assert!(problems.is_empty(), "{line}: {problems:#?}");
        for violation in json["violations"].as_array().unwrap() {
            let events = violation.get("events").map(|events| events.as_array().unwrap().len());
            let is_asked = line.contains("--steps") && violation["steps"] != 0;
            let steps = violation["steps"].as_u64().unwrap() as usize;
            assert_eq!(events, is_asked.then_some(steps), "{line}");
            n_events += events.unwrap_or(0);
        }
    }
    assert!(n_events > 8, "the steps of some violation were seen");
}
