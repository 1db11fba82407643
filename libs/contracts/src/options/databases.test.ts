import { expect, test } from "vitest";
import { databaseUrl } from "./databases.ts";

const option = databaseUrl("Postgres.");

test.each([
  "postgres://db.example/main",
  "postgresql://me:100%25@db.example:6432/main?sslmode=verify-full",
  "postgres://me:p%C3%A4ss%3A%2F@[::1]/main",
  "postgres:///main?host=/run/postgresql",
])("%s is an address of Postgres", (url) => {
  expect(option.parse(url)).toBe(url);
});

/** The driver would sign in as another role than the one that grants and checks refer to. */
test.each(["user=owner", "password=other", "sslmode=require&user="])(
  "rejects a role in a parameter: %s",
  (parameters) => {
    const { error } = option.safeParse(`postgres://identity:i@db.example/main?${parameters}`);
    expect(error?.issues[0]?.message).toContain("before the host");
  },
);

test.each(["postgres://me:100%@db.example/main", "postgres://m%e@db.example/main"])(
  "reports an invalid escape as a problem of the option: %s",
  (url) => {
    expect(option.safeParse(url).error?.issues[0]?.message).toContain("%25");
  },
);

test.each(["mysql://db.example/main", "db.example", "postgres://db example/main"])(
  "%s is not an address of Postgres",
  (url) => {
    expect(option.safeParse(url).error?.issues[0]?.message).toBe("must be a postgres URL");
  },
);
