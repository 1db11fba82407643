import { describe, expect, test } from "vitest";
import type { ConfigurationError } from "./configuration-error.ts";
import { settingsOf } from "./settings-of.ts";
import { readSettings } from "./settings.ts";

const owner = { DATABASE_URL: "postgres://owner:o@pooler.example/main" };
const own = { IDENTITY_DATABASE_URL: "postgres://identity:i@pooler.example/main" };

/** With Redis databases may differ. */
const withRedis = { redisUrl: "redis://localhost" };

const addresses = (environment: Record<string, string>, service: "identity" | "mailer") => {
  const { databaseUrl, directDatabaseUrl } = settingsOf(
    readSettings(withRedis, environment),
    service,
  ).options;
  return [databaseUrl, directDatabaseUrl];
};

test("a service's own address is for that service alone", () => {
  const environment = { ...owner, ...own };
  expect(addresses(environment, "identity")).toEqual([own.IDENTITY_DATABASE_URL, undefined]);
  expect(addresses(environment, "mailer")).toEqual([owner.DATABASE_URL, undefined]);
});

test("past the pooler a service goes by its own role, never by the owner's", () => {
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

test("the direct address is enough", () => {
  const { options } = readSettings({}, { DIRECT_DATABASE_URL: "postgres://owner@db.example/main" });
  expect(options.databaseUrl).toBe("postgres://owner@db.example/main");
});

test("it is told who said the address that counts", () => {
  const environment = settingsOf(readSettings({}, { ...owner, ...own }), "identity").given
    .environment;
  expect(environment).toContain("databaseUrl");
  const file = {
    ...withRedis,
    databases: { identity: { url: "postgres://identity@db.example/main" } },
  };
  const { given } = settingsOf(readSettings(file, owner), "identity");
  expect(given.file).toMatchObject({ databaseUrl: file.databases.identity.url });
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
    ["of one service needs no other database than that one's", own, ["identity"], []],
    ["of several needs one for each", own, ["identity", "mailer"], ["databaseUrl"]],
    ["of the whole house needs the owner's", own, undefined, ["databaseUrl"]],
    ["of the gateway needs none", {}, ["gateway"], []],
    ["of no service needs none", {}, [], []],
    [
      "is told of a direct address that stands alone",
      { ...owner, MAILER_DIRECT_DATABASE_URL: "postgres://mailer@db.example/main" },
      undefined,
      ["databases.mailer.url"],
    ],
    [
      "is told of a direct address of somebody else",
      { ...owner, ...own, IDENTITY_DIRECT_DATABASE_URL: "postgres://owner@db.example/main" },
      undefined,
      ["databases.identity.directUrl"],
    ],
  ])("%s", (_what, environment, services, problems) => {
    expect(problemsOf(environment, services)).toEqual(problems);
  });

  test("is told of a certificate that cannot be read", () => {
    const url = `${own.IDENTITY_DATABASE_URL}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
    expect(() => readSettings({}, { IDENTITY_DATABASE_URL: url }, ["identity"])).toThrow(
      "databases.identity.url: sslrootcert /nowhere/ca.pem cannot be read (ENOENT)",
    );
  });

  test("is not stopped by what others go by alone", () => {
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

  test("of a gateway that counts in rows needs a database", () => {
    const tree = { rateLimit: { storage: "database" } };
    expect(() => readSettings(tree, {}, ["gateway"])).toThrow("gateway");
  });
});

describe("without Redis, where messages go by Postgres,", () => {
  const mailer = (url: string) => ({ ...own, MAILER_DATABASE_URL: url });
  const elsewhere = "postgres://mailer@other.example/main";
  test.each<[string, Record<string, string>, ("gateway" | "identity" | "mailer")[] | undefined]>([
    ["another host", mailer(elsewhere), ["identity"]],
    ["another port", mailer("postgres://mailer@pooler.example:6432/main"), ["identity", "mailer"]],
    ["another name", mailer("postgres://mailer@pooler.example/mail"), ["identity"]],
    ["a host of a parameter", mailer(`${own.IDENTITY_DATABASE_URL}?host=/run/pg`), ["mailer"]],
    ["the shared one elsewhere", { ...own, DATABASE_URL: elsewhere }, ["identity", "mailer"]],
    ["the owner's elsewhere", { ...own, DATABASE_URL: elsewhere }, undefined],
  ])("services may not have several databases: %s", (_what, environment, services) => {
    expect(() => readSettings({}, environment, services)).toThrow("databases: must be one");
    readSettings(withRedis, environment, services);
  });

  test.each<[string, Record<string, string>, ("gateway" | "identity" | "mailer")[]]>([
    ["the port is the usual one", mailer("postgres://mailer@pooler.example:5432/main"), ["mailer"]],
    ["the gateway has another one", { ...own, GATEWAY_DATABASE_URL: elsewhere }, ["identity"]],
    ["the shared one is nobody's here", { ...own, DATABASE_URL: elsewhere }, ["identity"]],
    [
      "poolers differ and lead to one",
      {
        ...mailer("postgres://mailer@pooler.example:6432/main"),
        DIRECT_DATABASE_URL: "postgres://owner@db.example/main",
      },
      ["identity", "mailer"],
    ],
  ])("services have one database where %s", (_what, environment, services) => {
    readSettings({}, environment, services);
  });
});
