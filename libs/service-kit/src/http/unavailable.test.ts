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
  new Error('database "latchkey" is not currently accepting connections'),
  new Error("invalid server parameter"),
  new Error("CLUSTERDOWN The cluster is down"),
  new Error("LOADING Redis is loading the dataset in memory"),
  new Error("OOM command not allowed when used memory > 'maxmemory'."),
  new Error(
    "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
  ),
  new Error("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to."),
  new Error("NOREPLICAS Not enough good replicas to write."),
  new Error("BUSY Redis is busy running a script."),
  new Error("WRONGPASS invalid username-password pair or user is disabled."),
  new Error("ERR max number of clients reached"),
  Object.assign(new Error("EXECABORT Transaction discarded because of previous errors."), {
    previousErrors: [new Error("OOM command not allowed when used memory > 'maxmemory'.")],
  }),
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
  new Error("ERR wrong number of arguments for 'set' command"),
  new Error("BUSYGROUP Consumer Group name already exists"),
  new Error("NOSCRIPT No matching script. Please use EVAL."),
  "text",
  undefined,
])("%s does not count as unavailable", (error) => {
  expect(isUnavailable(error)).toBe(false);
});
