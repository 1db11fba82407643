import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServicePool } from "@latchkey/service-kit/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GatewayConfig } from "../config.ts";
import { readHealth } from "./read-health.ts";

/** The reply of `/health/ready` for every service. */
let answer = "";
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => response.end(answer));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => server.close());

const readHealthOf = async (said: string) => {
  answer = said;
  const pool = createServicePool([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  const services = {
    identity: pool,
    organization: pool,
    apikey: pool,
    mailer: pool,
    webhooks: pool,
    oauth: pool,
  };
  try {
    const off = { enabled: false };
    const config = { oauthProvider: off, deviceAuthorization: off } as GatewayConfig; // the only options that are read
    return await readHealth({ config, services, db: undefined, redis: undefined });
  } finally {
    await pool.close();
  }
};

/** During a rolling upgrade, services of two versions run side by side. */
test("a service that reports no version is as ready as it says", async () => {
  const [own, ...others] = await readHealthOf('{"status":"ok","checks":{"postgres":true}}');
  expect(own).toMatchObject({ name: "gateway", isReady: true });
  expect(others).toEqual(
    ["identity", "organization", "apikey", "mailer", "webhooks"].map((name) => ({
      name,
      version: null,
      isReady: true,
      checks: { postgres: true },
    })),
  );
});

test.each([
  "",
  "<html>",
  "null",
  "[]",
  "5",
  "{}",
  '{"status":"fine","checks":{}}',
  '{"error":"no such upstream"}',
])("ignores an unreadable reply: %s", async (said) => {
  const [, identity] = await readHealthOf(said);
  expect(identity).toEqual({ name: "identity", version: null, isReady: false, checks: {} });
});

test("ignores unknown members and members of other types", async () => {
  const said = { status: "unavailable", version: 7, checks: { postgres: "no" }, uptime: 5 };
  const [, identity] = await readHealthOf(JSON.stringify(said));
  expect(identity).toEqual({ name: "identity", version: null, isReady: false, checks: {} });
});
