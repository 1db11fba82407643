import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { adminConfig, askAs, auditOf, byUser, race, signUpAs } from "./admin-people.ts";
import { openRows, refusal, type Rows, seen, type SignedUp } from "./identity-people.ts";

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

let stack: Stack;
let rows: Rows;
let admin: SignedUp;
beforeAll(async () => {
  const jwt = { jwks: { gracePeriod: graceSeconds } };
  const config = { ...adminConfig, admin: { allowImpersonatingAdmins: true }, jwt };
  stack = await startStack({ stores: "postgres", config });
  rows = openRows(stack);
  admin = await signUpAs(stack, "admin");
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
});

const list = async () =>
  (await seen<{ keys: Key[] }>(await admin.browser.get("/admin/signing-keys"))).body.keys;
const rotate = async (by = admin) =>
  seen<{ key: Key }>(await by.browser.post("/admin/signing-keys/rotate"));
const published = async () => {
  const { keys } = (await (await fetch(`${stack.url}/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};
/** Makes every key older, as if time had passed. */
const age = (seconds: number) =>
  rows.ask(
    `update identity.signing_key set created_at = created_at - make_interval(secs => $1),
      retired_at = retired_at - make_interval(secs => $1)`,
    seconds,
  );
// One key, which signs.
beforeEach(async () => {
  await rows.ask(
    "delete from identity.signing_key where retired_at is not null or id <> (select min(id) from identity.signing_key where retired_at is null)",
  );
  await age(handoverSeconds);
});

test(
  "the keys are those of the JWKS, newest first, and nothing of their private halves is shown",
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
    // Each replica of identity reads them once a minute.
    const kids = await until(
      async () => {
        const found = await published();
        return found.includes(key.id) ? found : undefined;
      },
      { timeoutMs: refreshMs },
    );
    expect(kids).toEqual([key.id, before?.id]);
    for (const { private_key: sealed } of await rows.ask(
      "select private_key from identity.signing_key",
    ))
      expect(text).not.toContain(sealed);
    expect(text).not.toMatch(/private|"d"/i);
  },
  refreshMs + 20_000,
);

describe("a rotation", () => {
  test("makes a key that takes over in two minutes, and is audited with who asked", async () => {
    const [old] = await list();
    const { status, body } = await rotate();
    expect([status, body.key.state, body.key.opens]).toEqual([200, "next", true]);
    const after = (from: string | null | undefined, to: string | null | undefined) =>
      (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000;
    expect(after(body.key.createdAt, body.key.signsAt)).toBe(handoverSeconds);
    expect(await auditOf(rows, "signing-key.created", body.key.id)).toEqual([byUser(admin)]);
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

  test("of 16 at once is one, and all are told of it", async () => {
    const answers = await race(() => rotate());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.key.id)).size).toBe(1);
    expect(await list()).toHaveLength(2);
  });

  /** Attack: by rotating on and on, somebody has a key that has just signed fall out of the JWKS. */
  test("while one takes over changes nothing, and after that makes another", async () => {
    const first = await rotate();
    expect(await rotate()).toEqual(first);
    await age(handoverSeconds);
    const second = await rotate();
    expect(second.body.key.id).not.toBe(first.body.key.id);
    expect((await list()).map(({ state }) => state)).toEqual(["next", "signing", "published"]);
  });

  test("names the admin, not the one in whose name they act", async () => {
    const other = await signUpAs(stack, "admin");
    expect((await askAs(other, "/impersonate-user", { userId: admin.user.id })).status).toBe(200);
    const { body } = await rotate(other);
    expect(await auditOf(rows, "signing-key.created", body.key.id)).toEqual([byUser(other)]);
  });
});

test("a key that no secret opens is told of, and another signs", async () => {
  const [signing] = await list();
  const { key } = (await rotate()).body;
  await rows.ask("update identity.signing_key set private_key = 'v1.broken' where id = $1", key.id);
  await age(handoverSeconds);
  expect((await list()).map(({ id, state, opens }) => ({ id, state, opens }))).toEqual([
    { id: key.id, state: "published", opens: false },
    { id: signing?.id, state: "signing", opens: true },
  ]);
});

test("where nothing is signed, there is nothing to rotate", async () => {
  const off = await startStack({
    stores: "postgres",
    config: { ...adminConfig, jwt: { enabled: false } },
  });
  try {
    const { browser } = await signUpAs(off, "admin");
    expect(await seen(await browser.post("/admin/signing-keys/rotate"))).toEqual(
      refusal(400, "SIGNED_TOKENS_ARE_NOT_ENABLED", "Signed tokens are not enabled"),
    );
    expect(await seen(await browser.get("/admin/signing-keys"))).toMatchObject({
      status: 200,
      body: { keys: [] },
    });
  } finally {
    await off.stop();
  }
});
