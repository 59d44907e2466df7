//! The parts of the description of a route.

use super::json::{Json, object};
use super::schemas::{reference, text};

/// A route with its parameters and responses.
pub(super) struct Route {
    method: &'static str,
    path: &'static str,
    operation: Json,
    parameters: Vec<Parameter>,
    body: Option<Json>,
    responses: Vec<Response>,
}

struct Response {
    status: u16,
    members: Json,
    headers: Vec<(String, Json)>,
}

impl Route {
    pub(super) fn get(path: &'static str, id: &str, summary: &str) -> Route {
        Route::new("get", path, id, summary)
    }

    pub(super) fn new(method: &'static str, path: &'static str, id: &str, summary: &str) -> Route {
        let operation = object! { "operationId" => id, "summary" => summary };
        Route { method, path, operation, parameters: Vec::new(), body: None, responses: Vec::new() }
    }

    pub(super) fn about(mut self, description: &str) -> Route {
        self.operation = self.operation.with("description", description);
        self
    }

    pub(super) fn takes<const N: usize>(mut self, parameters: [Parameter; N]) -> Route {
        self.parameters.extend(parameters);
        self
    }

    pub(super) fn body(mut self, body: Json) -> Route {
        self.body = Some(body);
        self
    }

    fn responds(mut self, status: u16, members: Json) -> Route {
        self.responses.push(Response { status, members, headers: Vec::new() });
        self
    }

    pub(super) fn ok(self, description: &str, content: &[(&str, Json)]) -> Route {
        let content = content
            .iter()
            .map(|(kind, schema)| (kind.to_string(), object! { "schema" => schema.clone() }));
        let content = Json::Object(content.collect());
        self.responds(200, object! { "description" => description, "content" => content })
    }

    pub(super) fn answers(self, description: &str, schema: &str) -> Route {
        self.ok(description, &[("application/json", reference(schema))])
    }

    pub(super) fn fails(self, status: u16, description: &str) -> Route {
        let content = object! {
            "application/problem+json" => object! { "schema" => reference("Problem") },
        };
        self.responds(status, object! { "description" => description, "content" => content })
    }

    /// Adds a header to the last response.
    pub(super) fn header(mut self, name: &str, description: &str, kind: &str) -> Route {
        let schema = object! { "type" => kind };
        let header = match description {
            "" => object! { "schema" => schema },
            _ => object! { "description" => description, "schema" => schema },
        };
        let response = self.responses.last_mut().expect("a response");
        response.headers.push((name.to_owned(), header));
        self
    }

    /// Clients may keep the answer and ask whether it is current.
    pub(super) fn tagged(self) -> Route {
        let description = "The client has this answer (If-None-Match).";
        self.responds(304, object! { "description" => description })
    }

    pub(super) fn kept(self, by: &str) -> Route {
        self.header("ETag", &format!("Identifies this answer, {by}."), "string")
            .header("Cache-Control", "", "string")
            .tagged()
    }

    pub(super) fn may_be_unsolved(self) -> Route {
        self.fails(
            503,
            "Not in the book and not solved: the deadline (not-solved) or the node limit \
             (node-budget) was reached, the queue is full (busy), or the server is stopping \
             (stopping). An answer is never a guess.",
        )
        .header(
            "Retry-After",
            "Seconds after which to try again; absent if the node limit was reached, since \
             waiting does not help then.",
            "integer",
        )
    }

    /// What every request may meet.
    fn and_limits(self) -> Route {
        self.fails(408, "The request took too long.").fails(414, "The path and query are too long.")
    }

    /// No answer, be it an error, is to be kept.
    pub(super) fn not_kept(self) -> Route {
        let mut route = self.and_limits();
        for response in &mut route.responses {
            let header = object! { "$ref" => "#/components/headers/NoStore" };
            response.headers.push(("Cache-Control".to_owned(), header));
        }
        route
    }

    fn has_limits(&self) -> bool {
        self.responses.iter().any(|response| response.status == 414)
    }

    /// Path, method and operation.
    pub(super) fn described(self) -> (String, Json) {
        let route = if self.has_limits() { self } else { self.and_limits() };
        let mut operation = route.operation;
        if !route.parameters.is_empty() {
            let parameters = route.parameters.into_iter().map(|it| it.0);
            operation = operation.with("parameters", parameters.collect::<Vec<_>>());
        }
        if let Some(body) = route.body {
            operation = operation.with("requestBody", body);
        }
        let responses = route.responses.into_iter().map(|Response { status, members, headers }| {
            let members = match headers.is_empty() {
                true => members,
                false => members.with("headers", Json::Object(headers)),
            };
            (status.to_string(), members)
        });
        let operation = operation.with("responses", Json::Object(responses.collect()));
        (route.path.to_owned(), object! { route.method => operation })
    }
}

pub(super) struct Parameter(Json);

/// An optional parameter of the query, a text.
pub(super) fn parameter(name: &str, description: &str) -> Parameter {
    with_schema(name, description, text(""))
}

pub(super) fn with_schema(name: &str, description: &str, schema: Json) -> Parameter {
    Parameter(object! {
        "name" => name,
        "in" => "query",
        "description" => description,
        "required" => false,
        "schema" => schema,
    })
}

impl Parameter {
    pub(super) fn set(self, member: &str, new: Json) -> Parameter {
        let Json::Object(mut members) = self.0 else { unreachable!("it is an object") };
        members.iter_mut().filter(|(name, _)| name == member).for_each(|it| it.1 = new.clone());
        Parameter(Json::Object(members))
    }

    pub(super) fn required(self) -> Parameter {
        self.set("required", true.into())
    }

    pub(super) fn example(self, example: impl Into<Json>) -> Parameter {
        Parameter(self.0.with("example", example))
    }
}
