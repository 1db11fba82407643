import { describe, expect, test } from "vitest";
import { optionsSchema } from "../options.ts";
import { serviceNames } from "../service-name.ts";
import { listOptions } from "./list-options.ts";
import { mask } from "./mask-option.ts";

type Given = Parameters<(typeof optionsSchema)["parse"]>[0];

const list = (given: Given) => listOptions(optionsSchema.parse(given));
const valueOf = (given: Given, name: string) =>
  list(given).find((option) => option.name === name)?.value;

const pem = "-----BEGIN PRIVATE KEY-----\ncanary-pem";
const everySecret = {
  secret: ["canary-first-secret", "canary-second-secret"],
  databaseUrl: "postgres://canary-who:canary-word@db.example:5432/main?sslpassword=canary-query",
  directDatabaseUrl: "postgres://canary-who:canary%40word@direct.example/main#canary-hash",
  databases: Object.fromEntries(
    serviceNames.map((name) => [
      name,
      {
        url: `postgres://canary-who:canary-word@${name}.example/main`,
        directUrl: `postgres://canary-who:canary-word@direct-${name}.example/main`,
      },
    ]),
  ),
  redisUrl: "rediss://:canary-word@redis.example/3",
  mail: { smtpUrl: "smtps://canary-token:canary-token@smtp.example:465" },
  serviceTokens: { billing: "canary-token-of-billing" },
  captcha: { secretKey: "canary-captcha" },
  oauthProxy: { secret: "canary".repeat(8) },
  phoneNumber: { sendSecret: `whsec_${"canary".repeat(8)}` },
  socialProviders: {
    google: { clientId: "shown", clientSecret: "canary-google", privateKey: { pem } },
    mine: {
      issuer: "https://id.example",
      clientId: "shown",
      clientSecret: "canary-mine",
      privateKey: { pem, kid: "canary-kid" },
    },
  },
};

/** Names that match the pattern of secrets although their values are not secret. */
const harmless = new Set(["socialProviders.mine.discoveryUrl", "advanced.outbound.privateHosts"]);

describe("a secret option", () => {
  test("is never shown, whichever option is set", () => {
    const shown = list(everySecret);
    expect(JSON.stringify(shown)).not.toContain("canary");
    // Each secret has a value above, so that none is left out of this check.
    for (const { name, value, isSecret } of shown)
      if (isSecret)
        expect([name, JSON.stringify(value)]).toEqual([name, expect.stringContaining(mask)]);
  });

  test("is marked as secret if its name matches the pattern of secrets", () => {
    const sounding = /secret|token|password|pem|private|credential|key$|(?<!U)Url$/;
    const unmarked = list(everySecret).flatMap(({ name, isSecret }) => {
      const own = name.split(".").at(-1) ?? "";
      return !isSecret && sounding.test(own) ? [name] : [];
    });
    expect(unmarked.filter((name) => !harmless.has(name))).toEqual([]);
  });

  test("keeps the host of an address and the name of a token", () => {
    expect(valueOf(everySecret, "databaseUrl")).toBe(
      `postgres://${mask}@db.example:5432/main?sslpassword=${mask}`,
    );
    expect(valueOf(everySecret, "redisUrl")).toBe(`rediss://${mask}@redis.example/3`);
    expect(valueOf({ redisUrl: "redis://127.0.0.1:6379" }, "redisUrl")).toBe(
      "redis://127.0.0.1:6379",
    );
    const cluster = "rediss-cluster://canary-who:canary@word@a:1,b:2";
    expect(valueOf({ redisUrl: cluster }, "redisUrl")).toBe(`rediss-cluster://${mask}@a:1,b:2`);
    expect(valueOf(everySecret, "serviceTokens")).toEqual({ billing: mask });
    expect(valueOf(everySecret, "secret")).toEqual([mask, mask]);
  });

  test("is masked by a text of fixed length", () => {
    const long = { secret: ["x".repeat(100)] };
    expect(valueOf(long, "secret")).toEqual(valueOf({ secret: ["x".repeat(20)] }, "secret"));
  });

  test("is masked in any address, also in an option that is not a secret", () => {
    const baseURL = "https://who:word@auth.example/api";
    expect(valueOf({ baseURL }, "baseURL")).toBe(`https://${mask}@auth.example/api`);
  });
});

test("functions are shown as such, wherever they are, and unset options as null", () => {
  const rule = () => false as const;
  const options = {
    trustedOrigins: () => [],
    rateLimit: { customRules: { "/sign-in/*": rule, "/ok": { window: 1, max: 2 } } },
    hooks: { before: () => undefined },
  };
  expect(valueOf(options, "trustedOrigins")).toBe("function");
  expect(valueOf(options, "rateLimit.customRules")).toEqual({
    "/sign-in/*": "function",
    "/ok": { window: 1, max: 2 },
  });
  expect(valueOf(options, "hooks.before")).toBe("function");
  expect(valueOf(options, "hooks.after")).toBeNull();
  expect(valueOf(options, "appName")).toBe("Latchkey");
});

test("values that JSON cannot express are shown in their JSON form", () => {
  const expirationTime = new Date("2030-01-02T03:04:05.678Z");
  expect(valueOf({ jwt: { jwt: { expirationTime } } }, "jwt.jwt.expirationTime")).toBe(
    "2030-01-02T03:04:05.678Z",
  );
});

test("each option is listed once, with provider ids filled in", () => {
  const names = list(everySecret).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(["socialProviders.mine.pkce", "session.expiresIn"]));
  expect(names).not.toContain("socialProviders.google.pkce");
});
