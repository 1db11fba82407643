import { expect, test } from "vitest";
import { databaseUrl } from "./databases.ts";

const option = databaseUrl("Postgres.");

test.each([
  "postgres://localhost/db",
  "postgresql://identity:p%25s%2Fw@localhost:5432/db?sslmode=verify-full",
  "postgres://identity@ignored/db?host=/run/postgresql",
])("is an address of Postgres: %s", (text) => {
  expect(option.safeParse(text).success).toBe(true);
});

/** The driver signs in by the parameters, so another role would be given rights than the one that comes. */
test.each([
  ["mysql://localhost/db", "must be a postgres URL"],
  ["postgres://localhost/db?user=owner", "must have user and password before the host"],
  ["postgres://identity:own@localhost/db?password=other", "must have user and password before"],
  ["postgres://identity:p%s@localhost/db", "must have a % in user or password as %25"],
])("is refused: %s", (text, problem) => {
  const { error } = option.safeParse(text);
  expect(error?.issues[0]?.message).toContain(problem);
});
