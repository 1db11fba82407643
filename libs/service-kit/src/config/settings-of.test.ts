import { describe, expect, test } from "vitest";
import type { ConfigurationError } from "./configuration-error.ts";
import { settingsOf } from "./settings-of.ts";
import { readSettings } from "./settings.ts";

const owner = { DATABASE_URL: "postgres://owner:o@pooler.example/main" };
const own = { IDENTITY_DATABASE_URL: "postgres://identity:i@pooler.example/main" };

/** With Redis, services may have different databases. */
const withRedis = { redisUrl: "redis://localhost" };

const addresses = (environment: Record<string, string>, service: "identity" | "mailer") => {
  const { databaseUrl, directDatabaseUrl } = settingsOf(
    readSettings(withRedis, environment),
    service,
  ).options;
  return [databaseUrl, directDatabaseUrl];
};

test("uses a service's own address for that service only", () => {
  const environment = { ...owner, ...own };
  expect(addresses(environment, "identity")).toEqual([own.IDENTITY_DATABASE_URL, undefined]);
  expect(addresses(environment, "mailer")).toEqual([owner.DATABASE_URL, undefined]);
});

test("connects directly with the service's own role, never with the owner's", () => {
  const direct = {
    DIRECT_DATABASE_URL: "postgres://owner:o@db.example:6432/main?sslmode=verify-full",
  };
  expect(addresses({ ...owner, ...own, ...direct }, "identity")).toEqual([
    own.IDENTITY_DATABASE_URL,
    "postgres://identity:i@db.example:6432/main?sslmode=verify-full",
  ]);
  const ownDirect = { IDENTITY_DIRECT_DATABASE_URL: "postgres://identity:i@other.example/main" };
  expect(addresses({ ...owner, ...own, ...direct, ...ownDirect }, "identity")[1]).toBe(
    ownDirect.IDENTITY_DIRECT_DATABASE_URL,
  );
});

test("accepts a direct address only", () => {
  const { options } = readSettings({}, { DIRECT_DATABASE_URL: "postgres://owner@db.example/main" });
  expect(options.databaseUrl).toBe("postgres://owner@db.example/main");
});

test("reports the source of the effective address", () => {
  const environment = settingsOf(readSettings({}, { ...owner, ...own }), "identity").given
    .environment;
  expect(environment).toContain("databaseUrl");
  const file = {
    ...withRedis,
    databases: { identity: { url: "postgres://identity@db.example/main" } },
  };
  const { given: sources } = settingsOf(readSettings(file, owner), "identity");
  expect(sources.file).toMatchObject({ databaseUrl: file.databases.identity.url });
});

describe("a process", () => {
  const problemsOf = (
    environment: Record<string, string>,
    services?: ("gateway" | "identity" | "mailer")[],
  ) => {
    try {
      readSettings(withRedis, environment, services);
      return [];
    } catch (error) {
      return (error as ConfigurationError).problems.map((problem) => problem.split(":")[0]);
    }
  };

  test.each<
    [string, Record<string, string>, ("gateway" | "identity" | "mailer")[] | undefined, string[]]
  >([
    ["of one service needs only that service's database", own, ["identity"], []],
    ["of several services needs a database for each", own, ["identity", "mailer"], ["databaseUrl"]],
    ["of all services needs the owner's database", own, undefined, ["databaseUrl"]],
    ["of the gateway needs no database", {}, ["gateway"], []],
    ["without services needs no database", {}, [], []],
    [
      "reports a direct address without a pooled one",
      { ...owner, MAILER_DIRECT_DATABASE_URL: "postgres://mailer@db.example/main" },
      undefined,
      ["databases.mailer.url"],
    ],
    [
      "reports a direct address with another user",
      { ...owner, ...own, IDENTITY_DIRECT_DATABASE_URL: "postgres://owner@db.example/main" },
      undefined,
      ["databases.identity.directUrl"],
    ],
  ])("%s", (_what, environment, services, problems) => {
    expect(problemsOf(environment, services)).toEqual(problems);
  });

  test("reports an unreadable certificate", () => {
    const url = `${own.IDENTITY_DATABASE_URL}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
    expect(() => readSettings({}, { IDENTITY_DATABASE_URL: url }, ["identity"])).toThrow(
      "databases.identity.url: sslrootcert /nowhere/ca.pem cannot be read (ENOENT)",
    );
  });

  test("ignores problems of options that only other services use", () => {
    const unread = "sslmode=verify-full&sslrootcert=/nowhere/ca.pem";
    const environment = {
      ...own,
      DATABASE_URL: `${owner.DATABASE_URL}?${unread}`,
      MAILER_DATABASE_URL: `postgres://mailer@pooler.example/main?${unread}`,
      APIKEY_DATABASE_URL_FILE: "/nowhere/apikey",
      ORGANIZATION_DIRECT_DATABASE_URL: "postgres://organization@pooler.example/main",
    };
    expect(problemsOf(environment, ["identity"])).toEqual([]);
    expect(problemsOf(environment)).toEqual([
      "APIKEY_DATABASE_URL_FILE",
      "databaseUrl",
      "databases.mailer.url",
      "databases.organization.url",
    ]);
  });

  test("of a gateway that stores rate limits in the database needs a database", () => {
    const tree = { rateLimit: { storage: "database" } };
    expect(() => readSettings(tree, {}, ["gateway"])).toThrow("gateway");
  });
});

describe("without Redis, with messages on Postgres,", () => {
  const mailer = (url: string) => ({ ...own, MAILER_DATABASE_URL: url });
  const elsewhere = "postgres://mailer@other.example/main";
  test.each<[string, Record<string, string>, ("gateway" | "identity" | "mailer")[] | undefined]>([
    ["another host", mailer(elsewhere), ["identity"]],
    ["another port", mailer("postgres://mailer@pooler.example:6432/main"), ["identity", "mailer"]],
    ["another name", mailer("postgres://mailer@pooler.example/mail"), ["identity"]],
    ["a host of a parameter", mailer(`${own.IDENTITY_DATABASE_URL}?host=/run/pg`), ["mailer"]],
    ["the shared one elsewhere", { ...own, DATABASE_URL: elsewhere }, ["identity", "mailer"]],
    ["the owner's elsewhere", { ...own, DATABASE_URL: elsewhere }, undefined],
  ])("rejects different databases of services: %s", (_what, environment, services) => {
    expect(() => readSettings({}, environment, services)).toThrow("databases: must be one");
    readSettings(withRedis, environment, services);
  });

  test.each<[string, Record<string, string>, ("gateway" | "identity" | "mailer")[]]>([
    ["the port is the default", mailer("postgres://mailer@pooler.example:5432/main"), ["mailer"]],
    ["the gateway has another one", { ...own, GATEWAY_DATABASE_URL: elsewhere }, ["identity"]],
    ["no service here uses the shared one", { ...own, DATABASE_URL: elsewhere }, ["identity"]],
    [
      "different poolers lead to the same one",
      {
        ...mailer("postgres://mailer@pooler.example:6432/main"),
        DIRECT_DATABASE_URL: "postgres://owner@db.example/main",
      },
      ["identity", "mailer"],
    ],
  ])("accepts one database if %s", (_what, environment, services) => {
    readSettings({}, environment, services);
  });
});
