import { createHash } from "node:crypto";
import { type Permissions, type ServiceName, serviceNames } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { beforeAll, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { canary } from "../reliability/failure/canary.ts";
import { dumpPostgres, dumpRedis } from "../reliability/failure/dump.ts";
import {
  apiKeyOperations,
  createKey,
  deleteKey,
  listKeys,
  updateKey,
  type Verification,
} from "../harness/api-keys.ts";
import { openPool } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const serviceToken = "a token of a service, for tests";
const present = serviceNames.filter((name) => name !== "mailer");

let browser: BrowserLike;
const { system } = useSystem({
  topology: "processes",
  stores: "own redis",
  absent: ["mailer"],
  environment: { LOG_LEVEL: "trace" },
  config: {
    serviceTokens: { backoffice: serviceToken },
    apiKey: { enableMetadata: true, rateLimit: { maxRequests: 2 } },
  },
});
beforeAll(async () => {
  ({ browser } = await signUp(system));
});

const verify = async (key: string, permissions?: Permissions): Promise<Verification> => {
  const answer = await fetch(
    `${system.urlOf("apikey")}/internal${apiKeyOperations.verifyApiKey.path}`,
    {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${serviceToken}` },
      body: JSON.stringify({ key, permissions }),
    },
  );
  return (await answer.json()) as Verification;
};

const hashesOf = (key: string): string[] =>
  (["base64url", "base64", "hex"] as const).map((form) =>
    createHash("sha256").update(key).digest(form),
  );

/** Returns the tables that contain a text. */
const tablesWith = (tables: Map<string, string>, text: string): string[] =>
  [...tables].filter(([, rows]) => rows.includes(text)).map(([name]) => name);

/** Attack: reading a copy of the stores or the logs and using a key from it. */
test("stores only the hash of a key, in one place, and nothing of a deleted key", async () => {
  const secret = canary("metadata");
  const own = { name: "laptop", prefix: "acme_", metadata: { secret } };
  const [live, gone] = [await createKey({ browser }, own), await createKey({ browser }, own)];
  for (const { id, key } of [live, gone]) {
    expect((await verify(key)).valid).toBe(true);
    await verify(key, { invoice: ["pay"] });
    await verify(key);
    expect((await verify(key)).error?.code).toBe("RATE_LIMITED");
    for (const text of [key.slice(1), `${key} `, ...hashesOf(key)]) await verify(text);
    await updateKey({ browser }, id, { name: "phone", enabled: false, metadata: [secret] });
    expect((await verify(key)).error?.code).toBe("KEY_DISABLED");
    await listKeys({ browser });
    await browser.get("/api-key/list", { "x-api-key": key });
  }
  await deleteKey({ browser }, gone.id);
  await verify(gone.key);

  const pool = openPool(system.databaseUrl);
  const counted = () => pool.query("select from apikey.key_usage where disabled > 0");
  await until(async () => (await counted()).rowCount === 2);
  const tables = await dumpPostgres(pool);
  await pool.end();
  const elsewhere = await dumpRedis(system.redis?.url ?? "");
  const logs = present.map((name: ServiceName) => system.output(name)).join("");

  expect(logs).toContain("Server listening");

  const [stored = "", ...otherForms] = hashesOf(live.key);
  expect(tablesWith(tables, stored)).toEqual(["apikey.api_key"]);
  expect(tablesWith(tables, secret)).toEqual(["apikey.api_key"]);
  // Events for applications name the key by its id.
  const withEvents = ["apikey.audit", "apikey.key_usage", "apikey.outbox", "webhooks.event"];
  expect(withEvents).toEqual(expect.arrayContaining(tablesWith(tables, gone.id)));
  const nowhere = [live.key, gone.key, ...otherForms, ...hashesOf(gone.key)];
  for (const text of nowhere) expect(tablesWith(tables, text)).toEqual([]);
  for (const text of [...nowhere, stored, secret])
    expect([elsewhere.includes(text), logs.includes(text)]).toEqual([false, false]);
});
