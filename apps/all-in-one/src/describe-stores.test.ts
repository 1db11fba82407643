import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { describeStores } from "./describe-stores.ts";

const redis = { redisUrl: "redis://:word@cache.example:6380" };

const linesOf = (tree: object, ownData?: string) => {
  const databaseUrl = "postgres://me:word@db.example:5432/main";
  const settings = readSettings({ databaseUrl, ...tree }, {});
  const installation = { settings, ownData, isSecretKept: false, stop: async () => {} };
  return describeStores(installation, "database");
};

test.each([
  ["off", {}],
  ["off", { rateLimit: { storage: "memory" } }],
  ["in Postgres", { rateLimit: { enabled: true } }],
  ["in memory", { rateLimit: { enabled: true, storage: "memory" } }],
  ["in Redis", { ...redis, rateLimit: { enabled: true } }],
  ["in Postgres", { ...redis, rateLimit: { enabled: true, storage: "database" } }],
])("describes limits as %s for %j", (place, tree) => {
  expect(linesOf(tree).join("\n")).toContain(`; limits ${place}`);
});

test("names stores by host, without credentials", () => {
  const lines = linesOf({ ...redis, mail: { smtpUrl: "smtp://me:word@mail.example:25" } });
  expect(lines).toEqual([
    "database   Postgres at db.example:5432/main",
    "sessions   Redis at cache.example:6380, bus too; limits off",
    "mail       SMTP at mail.example:25",
  ]);
});
