import { serviceNames } from "@latchkey/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { clientWithKey, type CreatedKey, createKey, userIdOf } from "../harness/api-keys.ts";
import { openPool } from "../harness/rows.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const serviceToken = "a token of a service, for tests";
/** The start of a caller header before its signature. A key inside its base64 would not be recognizable. */
const callerBeginning = Buffer.from('{"requestId":').toString("base64url").slice(0, -1);

let browser: BrowserLike;
let created: CreatedKey;
const { system } = useSystem({
  topology: "processes",
  stores: "postgres",
  absent: ["mailer"],
  environment: { LOG_LEVEL: "trace" },
  config: {
    serviceTokens: { backoffice: serviceToken },
    // Passes the texts themselves to the database.
    apiKey: { enableSessionForAPIKeys: true, disableKeyHashing: true },
  },
});
beforeAll(async () => {
  ({ browser } = await signUp(system));
  created = await createKey({ browser });
});

const verify = (key: string) =>
  fetch(`${system.urlOf("apikey")}/internal/api-key/verify`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${serviceToken}` },
    body: JSON.stringify({ key }),
  });
const listOrganizations = () =>
  clientWithKey(system, created.key, browser).browser.get("/organization/list");

/** Asserts that no service has logged a key. */
const expectSecrecy = () => {
  const text = serviceNames
    .filter((name) => name !== "mailer")
    .map((name) => system.output(name))
    .join("");
  for (const secret of [created.key, callerBeginning]) expect(text).not.toContain(secret);
  return text;
};

describe("no log at any level contains a key", () => {
  test("that is valid", async () => {
    expect((await listOrganizations()).status).toBe(200);
    expect((await verify(created.key)).status).toBe(200);
    expectSecrecy();
  });

  test("whose look-up fails in the database", async () => {
    const pool = openPool(system.databaseUrl);
    const rename = (from: string, to: string) =>
      pool.query(`alter table apikey."${from}" rename to "${to}"`);
    await rename("api_key", "away");
    expect([(await listOrganizations()).status, (await verify(created.key)).status]).toEqual([
      500, 500,
    ]);
    await rename("away", "api_key");
    await pool.end();
    expect(expectSecrecy()).toContain("unexpected error");
  });

  /** Meanwhile requests with a key are refused, and cookies and other callers work. */
  test("that cannot be verified because a service is down", async () => {
    await system.kill("organization");
    expect((await listOrganizations()).status).toBe(503);
    await system.kill("apikey");
    const answer = await listOrganizations();
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "SERVICE_UNAVAILABLE" },
    ]);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await userIdOf({ browser })).toEqual(expect.any(String));
    expect(expectSecrecy()).toContain("request failed with a server error");
  });
});
