import { Writable } from "node:stream";
import { optionsSchema } from "@latchkey/contracts";
import { createLogger } from "@latchkey/service-kit/observe";
import { afterAll, expect, test } from "vitest";
import { createProviders } from "./create-providers.ts";
import { localOutbound, now } from "./test-provider-client.fixture.ts";

const outbound = localOutbound();
afterAll(() => outbound.close());

const credentials = { clientId: "client", clientSecret: "secret" };

/** Returns the providers of the options and the resulting log lines. */
const create = (configured: Record<string, Record<string, unknown>>) => {
  const warnings: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      warnings.push((JSON.parse(line.toString()) as { msg: string }).msg);
      done();
    },
  });
  const logger = createLogger({ service: "test", level: "info", destination });
  const { socialProviders } = optionsSchema.parse({ socialProviders: configured });
  const providers = createProviders({ outbound, clock: () => now, logger }, socialProviders);
  return { providers, warnings };
};

test("creates the configured providers, known and generic ones", () => {
  const { providers, warnings } = create({
    google: credentials,
    acme: { ...credentials, issuer: "https://idp.example.com" },
  });
  expect([...providers.keys()].sort()).toEqual(["acme", "google"]);
  expect(warnings).toEqual([]);
});

test("omits a disabled provider", () => {
  const { providers, warnings } = create({ google: { ...credentials, enabled: false } });
  expect(providers.size).toBe(0);
  expect(warnings).toEqual([]);
});

test("creates a public client without a secret, and logs it", () => {
  const { providers, warnings } = create({ google: { clientId: "client" } });
  expect(providers.get("google")?.clientIds).toEqual(["client"]);
  expect(warnings).toEqual(["Social provider google is missing clientId or clientSecret"]);
});

test("accepts a key in place of a secret", () => {
  const privateKey = { pem: "-----BEGIN PRIVATE KEY-----\n" };
  expect(create({ google: { clientId: "client", privateKey } }).warnings).toEqual([]);
});

test("keeps all ids of a client, with TikTok's client key first", () => {
  const clientId = ["one", "two"];
  const { providers } = create({
    google: { ...credentials, clientId },
    tiktok: { ...credentials, clientId, clientKey: "key" },
  });
  expect(providers.get("google")?.clientIds).toEqual(["one", "two"]);
  expect(providers.get("tiktok")?.clientIds).toEqual(["key", "one", "two"]);
});

test("replaces only the endpoints that the options set", async () => {
  const token = "https://proxy.example.com/token";
  const { providers } = create({ google: { ...credentials, endpoints: { token } } });
  const { endpoints } = await providers.get("google")!.define();
  expect(endpoints.token).toBe(token);
  expect(endpoints.authorization).toBe("https://accounts.google.com/o/oauth2/v2/auth");
});

test("shares no state between two providers", async () => {
  const { providers } = create({
    acme: { ...credentials, issuer: "https://idp.example.com" },
    other: { ...credentials, issuer: "https://idp.example.com" },
  });
  expect(providers.get("acme")?.keys).not.toBe(providers.get("other")?.keys);
});
