import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { effectiveSettings } from "./effective-settings.ts";

const read = (config: LatchkeyConfig, environment: Record<string, string> = {}) => {
  const settings = readSettings({ databaseUrl: "postgres://localhost/x", ...config }, environment);
  const options = effectiveSettings(settings);
  return (name: string) => options.find((option) => option.name === name);
};

test("each option has its source", () => {
  const option = read(
    {
      appName: "Shop",
      mail: { from: "shop@example.com", attemptsMax: 5 },
      socialProviders: { google: { clientId: "id", scope: [] } },
      trustedOrigins: () => [],
    },
    { MAIL_FROM: "other@example.com", TRUSTED_HOSTS: "a.example, b.example", LOG_LEVEL: "" },
  );
  expect(option("appName")).toEqual({
    name: "appName",
    description: expect.stringMatching(/^Name .*\.$/),
    variable: null,
    value: "Shop",
    default: "Latchkey",
    source: "file",
    isSecret: false,
  });
  expect(option("mail.from")).toMatchObject({ value: "other@example.com", source: "environment" });
  expect(option("mail.attemptsMax")).toMatchObject({ value: 5, source: "file" });
  expect(option("trustedHosts")).toMatchObject({
    value: ["a.example", "b.example"],
    source: "environment",
  });
  expect(option("trustedOrigins")).toMatchObject({ value: "function", source: "file" });
  expect(option("mail.from")?.variable).toBe("MAIL_FROM");
  expect(option("logger.level")).toMatchObject({ value: "error", source: "default" });
  expect(option("session.expiresIn")).toMatchObject({ value: 604_800, source: "default" });
  expect(option("socialProviders.google.scope")).toMatchObject({ value: [], source: "file" });
  expect(option("socialProviders.google.pkce")).toBeUndefined();
  expect(option("socialProviders.google.prompt")).toMatchObject({ value: null, source: "default" });
});

test("an option has its default beside it if its value differs from it", () => {
  const option = read({
    session: { expiresIn: 604_800, freshAge: 60 },
    rateLimit: { enabled: false, window: 20 },
    trustedOrigins: () => [],
    secret: ["a secret of these tests"],
  });
  expect(option("session.expiresIn")).not.toHaveProperty("default");
  expect(option("session.updateAge")).not.toHaveProperty("default");
  expect(option("session.freshAge")).toMatchObject({ value: 60, default: 86_400 });
  expect(option("rateLimit.enabled")).not.toHaveProperty("default");
  expect(option("rateLimit.window")).toMatchObject({ default: 10 });
  expect(option("trustedOrigins")).toMatchObject({ value: "function", default: [] });
  expect(option("secret")).toMatchObject({ default: null });
});

test("the default secret is marked as the default, but not shown", () => {
  const option = read({});
  const { source, isSecret, value } = option("secret") ?? {};
  expect([source, isSecret]).toEqual(["default", true]);
  expect(JSON.stringify(value)).not.toContain("latchkey");
});

test("limits that are not set have their effective value", () => {
  expect(read({})("rateLimit.enabled")).toMatchObject({ value: false, source: "default" });
  expect(read({})("rateLimit.storage")).toMatchObject({ value: "memory" });
  const production = read(
    { secret: ["a secret of these tests"], mail: { smtpUrl: "smtp://mail" } },
    { NODE_ENV: "production", BASE_URL: "https://a.example", REDIS_URL: "redis://localhost" },
  );
  expect(production("rateLimit.enabled")).toMatchObject({ value: true, source: "default" });
  expect(production("rateLimit.storage")).toMatchObject({ value: "secondary-storage" });
});

test("names of options are not confused with properties of every object", () => {
  const option = read({
    socialProviders: { constructor: { issuer: "https://a.example", clientId: "a" } },
  });
  expect(option("socialProviders.constructor.clientId")).toMatchObject({ source: "file" });
  expect(option("socialProviders.constructor.name")).toMatchObject({
    value: null,
    source: "default",
  });
});
