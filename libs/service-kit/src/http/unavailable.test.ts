import { expect, test } from "vitest";
import { isUnavailable } from "./unavailable.ts";

const coded = (code: string) => Object.assign(new Error("x"), { code });

test.each([
  coded("ECONNREFUSED"),
  coded("UND_ERR_HEADERS_TIMEOUT"),
  coded("57P01"),
  coded("53100"), // the disk of Postgres is full
  new Error("Connection terminated unexpectedly"),
  new Error("server login has been failing, try again later (server_login_retry)"),
  new Error("query_wait_timeout"),
  new Error("invalid server parameter"),
  new Error("CLUSTERDOWN The cluster is down"),
  new Error("Too many Cluster redirections. Last error: Error: Connection is closed."),
  new Error("Failed to refresh slots cache."),
  new Error("wrapped", { cause: coded("ECONNRESET") }),
  new AggregateError([coded("ECONNREFUSED")], "all addresses"),
])("%s counts as unavailable", (error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each([
  coded("23505"),
  coded("42P01"),
  new TypeError("x is not a function"),
  "text",
  undefined,
])("%s does not count as unavailable", (error) => {
  expect(isUnavailable(error)).toBe(false);
});
