import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { actorsOf, byUser } from "../harness/audit.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signUpAs } from "../harness/users.ts";

expectNoLeaks("file");

interface Key {
  id: string;
  alg: string;
  createdAt: string;
  state: string;
  opens: boolean;
  signsAt: string | null;
  retiredAt: string | null;
  publishedUntil: string | null;
}
const handoverSeconds = 120;
const graceSeconds = 3_600;
const refreshMs = 70_000;

const jwt = { jwks: { gracePeriod: graceSeconds } };
const config = { ...serviceConfig, admin: { allowImpersonatingAdmins: true }, jwt };
const { system, rows, admin } = useSystem({ stores: "postgres", config });

const list = async () =>
  (await readResponse<{ keys: Key[] }>(await admin.browser.get("/admin/signing-keys"))).body.keys;
const rotate = async (by = admin) =>
  readResponse<{ key: Key }>(await by.browser.post("/admin/signing-keys/rotate"));
const published = async () => {
  const { keys } = (await (await fetch(`${system.url}/jwks`)).json()) as {
    keys: { kid: string }[];
  };
  return keys.map(({ kid }) => kid);
};
/** Makes every key older, as if time had passed. */
const age = (seconds: number) =>
  rows.query(
    `update identity.signing_key set created_at = created_at - make_interval(secs => $1),
      retired_at = retired_at - make_interval(secs => $1)`,
    seconds,
  );
// Leaves one key, which signs.
beforeEach(async () => {
  await rows.query(
    "delete from identity.signing_key where retired_at is not null or id <> (select min(id) from identity.signing_key where retired_at is null)",
  );
  await age(handoverSeconds);
});

test(
  "the list has the keys of the JWKS, newest first, without private keys",
  async () => {
    const [before] = await list();
    expect(before).toEqual({
      id: expect.any(String),
      alg: "EdDSA",
      createdAt: expect.any(String),
      state: "signing",
      opens: true,
      signsAt: null,
      retiredAt: null,
      publishedUntil: null,
    });
    const { key } = (await rotate()).body;
    const answer = await admin.browser.get("/admin/signing-keys");
    const text = await answer.text();
    expect((JSON.parse(text) as { keys: Key[] }).keys.map(({ id }) => id)).toEqual([
      key.id,
      before?.id,
    ]);
    // Each replica of identity rereads them once a minute.
    const kids = await until(
      async () => {
        const ids = await published();
        return ids.includes(key.id) ? ids : undefined;
      },
      { timeoutMs: refreshMs },
    );
    expect(kids).toEqual([key.id, before?.id]);
    for (const { private_key: sealed } of await rows.query(
      "select private_key from identity.signing_key",
    ))
      expect(text).not.toContain(sealed);
    expect(text).not.toMatch(/private|"d"/i);
  },
  refreshMs + 20_000,
);

describe("a rotation", () => {
  test("makes a key that starts signing in two minutes, and audits the caller", async () => {
    const [old] = await list();
    const { status, body } = await rotate();
    expect([status, body.key.state, body.key.opens]).toEqual([200, "next", true]);
    const after = (from: string | null | undefined, to: string | null | undefined) =>
      (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000;
    expect(after(body.key.createdAt, body.key.signsAt)).toBe(handoverSeconds);
    expect(await actorsOf(rows, "signing-key.created", body.key.id)).toEqual([byUser(admin)]);
    const [next, signing] = await list();
    expect(next).toEqual(body.key);
    expect(signing).toMatchObject({ id: old?.id, state: "signing", retiredAt: body.key.createdAt });
    expect(after(signing?.retiredAt, signing?.publishedUntil)).toBe(handoverSeconds + graceSeconds);
    await age(handoverSeconds);
    const states = (await list()).map(({ id, state, signsAt }) => ({ id, state, signsAt }));
    expect(states).toEqual([
      { id: body.key.id, state: "signing", signsAt: null },
      { id: old?.id, state: "published", signsAt: null },
    ]);
  });

  test("happens once for 16 concurrent calls, which all return it", async () => {
    const answers = await race(() => rotate());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.key.id)).size).toBe(1);
    expect(await list()).toHaveLength(2);
  });

  /** Attack: repeated rotations remove a key from the JWKS that has just signed. */
  test("changes nothing while a new key is pending, and makes another one after that", async () => {
    const first = await rotate();
    expect(await rotate()).toEqual(first);
    await age(handoverSeconds);
    const second = await rotate();
    expect(second.body.key.id).not.toBe(first.body.key.id);
    expect((await list()).map(({ state }) => state)).toEqual(["next", "signing", "published"]);
  });

  test("is rejected in an impersonation", async () => {
    const other = await signUpAs(system, "admin");
    expect((await callAdmin(other, "/impersonate-user", { userId: admin.user.id })).status).toBe(
      200,
    );
    expect(await rotate(other)).toEqual(errorResponse(403, "FORBIDDEN", "Forbidden"));
  });
});

test("reports a key that no secret opens, and signs with another one", async () => {
  const [signing] = await list();
  const { key } = (await rotate()).body;
  await rows.query(
    "update identity.signing_key set private_key = 'v1.broken' where id = $1",
    key.id,
  );
  await age(handoverSeconds);
  expect((await list()).map(({ id, state, opens }) => ({ id, state, opens }))).toEqual([
    { id: key.id, state: "published", opens: false },
    { id: signing?.id, state: "signing", opens: true },
  ]);
});

test("does not exist if nothing is signed", async () => {
  const off = await startSystem({
    stores: "postgres",
    config: { ...serviceConfig, jwt: { enabled: false } },
  });
  try {
    const { browser } = await signUpAs(off, "admin");
    expect(await readResponse(await browser.post("/admin/signing-keys/rotate"))).toEqual(
      errorResponse(400, "SIGNED_TOKENS_ARE_NOT_ENABLED", "Signed tokens are not enabled"),
    );
    expect(await readResponse(await browser.get("/admin/signing-keys"))).toMatchObject({
      status: 200,
      body: { keys: [] },
    });
  } finally {
    await off.stop();
  }
});
