import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { keyRefusals } from "../harness/api-key-errors.ts";
import {
  clientWithKey,
  type CreatedKey,
  createKey,
  createKeyFor,
  deleteKey,
  getKey,
  getSession,
  keySessionConfig,
  listKeys,
  updateKey,
  userIdOf,
  verificationCode,
} from "../harness/api-keys.ts";
import { withCookiesOf } from "../harness/cached-sessions.ts";
import { race } from "../harness/race.ts";
import { readResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, password, setRole, signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const weekMilliseconds = 604_800_000;

let ada: TestUser;
let admin: TestUser;
const {
  system,
  rows,
  user: grace,
} = useSystem({
  stores: "postgres",
  config: keySessionConfig({}, { session: { cookieCache: { enabled: true } } }),
});
beforeAll(async () => {
  admin = await signUpAs(system, "admin");
});
beforeEach(async () => {
  ada = await signUp(system);
});

const newPassword = "another horse battery";

/** Sets the password by a mailed link, as only the reader of the mailbox can. */
const resetByMail = async (stackOf: System, email: string) => {
  const anybody = createBrowserLike(stackOf.url);
  expect((await anybody.post("/request-password-reset", { email })).status).toBe(200);
  const link = await until(() =>
    stackOf.smtp.mails.find(({ to, links }) => to.includes(email) && /reset/.test(links[0] ?? "")),
  );
  const token = new URL(link.links[0] ?? "").pathname.split("/").at(-1);
  const body = { token, newPassword };
  expect((await anybody.post("/reset-password", body)).status).toBe(200);
};

const remaining = async (owner: TestUser, { id }: CreatedKey) =>
  (await getKey(owner, id)).remaining;
const getSessionBy = (key: string, headers?: Record<string, string>) =>
  getSession(clientWithKey(system, key), headers);

describe("a key in a header", () => {
  test("acts as a new session of its owner, and sets no cookie", async () => {
    const { id, key } = await createKey(ada);
    const before = Date.now();
    const answer = await fetch(`${system.url}/get-session`, {
      headers: { "x-api-key": key, "user-agent": "A client/1.0" },
    });
    const { session, user } = (await answer.json()) as Record<string, Record<string, string>>;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get("set-auth-token")).toBeNull();
    expect(user).toMatchObject({ id: ada.user.id, email: ada.email, role: "user", banned: false });
    const createdAt = session?.["createdAt"] ?? "";
    expect(session).toEqual({
      id,
      token: key,
      userId: ada.user.id,
      userAgent: "A client/1.0",
      ipAddress: "127.0.0.1",
      createdAt,
      updatedAt: createdAt,
      expiresAt: new Date(Date.parse(createdAt) + weekMilliseconds).toISOString(),
    });
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    const stored = await rows.query("select 1 from identity.session where id = $1", id);
    expect(stored).toEqual([]);
  });

  test("with an expiry acts as a session that ends with it", async () => {
    const { key, expiresAt } = await createKey(ada, { expiresIn: 86_400 });
    expect((await getSessionBy(key)).body?.session).toMatchObject({ expiresAt });
  });

  test("is used once per request, and only if a session is needed", async () => {
    const created = await createKeyFor(system, ada, { remaining: 10 });
    const { browser } = clientWithKey(system, created.key);
    const answers = await Promise.all([
      browser.get("/get-session"),
      browser.get("/list-accounts"),
      browser.get("/organization/list"),
      browser.post("/update-user", { name: "Augusta" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await remaining(ada, created)).toBe(6);
    const others = await Promise.all([
      browser.get("/ok"),
      browser.get("/jwks"),
      browser.get("/nowhere"),
      browser.post("/is-username-available", { username: "ada" }),
      browser.post("/sign-in/email", { email: ada.email, password }),
      browser.post("/sign-up/email", { name: "A", email: `x-${ada.email}`, password }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 404, 200, 200, 200]);
    expect(await remaining(ada, created)).toBe(6);
  });

  test("allows exactly its remaining uses among concurrent requests", async () => {
    const { key } = await createKeyFor(system, ada, { remaining: 5 });
    const answers = await race(() => getSessionBy(key));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(11).fill(401)]);
  });

  test("overrides a cookie: a valid key authenticates, an invalid one fails, and the cookies stay unchanged", async () => {
    const [ofGrace, ofAda] = await Promise.all([createKey(grace), createKey(ada)]);
    const { browser } = ada;
    expect(await userIdOf(clientWithKey(system, ofGrace.key, browser))).toBe(grace.user.id);
    await deleteKey(grace, ofGrace.id);
    expect(await getSession(clientWithKey(system, ofGrace.key, browser))).toEqual(
      keyRefusals.unknown,
    );
    const cookies = new Map(browser.cookies);
    const own = clientWithKey(system, ofAda.key, browser).browser;
    const changed = await own.post("/update-user", { name: "Augusta" });
    const shown = await own.get("/get-session");
    for (const answer of [changed, shown]) {
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      expect(answer.headers.get("set-auth-token")).toBeNull();
    }
    expect(browser.cookies).toEqual(cookies);
    expect(await shown.json()).toMatchObject({ user: { name: "Augusta" } });
    expect((await getSession({ browser })).body?.user).toMatchObject({ name: "Augusta" });
  });

  /** An invalid cached session is cleared by the next request with cookies instead. */
  test("is not answered from a cached session, and does not clear an invalid one", async () => {
    const { key } = await createKey(grace);
    const elsewhere = withCookiesOf(system.url, ada.browser);
    expect(await userIdOf(clientWithKey(system, key, elsewhere))).toBe(grace.user.id);
    elsewhere.cookies.set("auth.session_data", "nobody's");
    const answer = await getSession(clientWithKey(system, key, elsewhere));
    expect([answer.body?.user.id, answer.cookies]).toEqual([grace.user.id, []]);
  });

  test("is ignored if empty, and cookies authenticate", async () => {
    expect(await userIdOf(clientWithKey(system, "", ada.browser))).toBe(ada.user.id);
    expect(await getSessionBy("")).toEqual({ status: 200, body: null, cookies: [] });
  });

  test("does not change the origin checks", async () => {
    const created = await createKeyFor(system, ada, { remaining: 3 });
    const { browser } = clientWithKey(system, created.key, withCookiesOf(system.url, ada.browser));
    const foreign = { origin: "https://evil.example" };
    const answer = await browser.post("/update-user", { name: "Eve" }, foreign);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "INVALID_ORIGIN" }]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await remaining(ada, created)).toBe(3);
  });
});

describe("a key is refused as a session", () => {
  const refuse = async (own: object, change: (key: CreatedKey) => Promise<unknown>) => {
    const created = await createKeyFor(system, ada, own);
    await change(created);
    return getSessionBy(created.key);
  };

  test.each([
    ["a short text", "short"],
    ["a text one too short", "a".repeat(63)],
    ["a text that is longer than any key", "a".repeat(1_025)],
    ["the longest header that there can be", "a".repeat(12_000)],
  ])("that is %s", async (_case, key) => {
    expect(await getSessionBy(key)).toEqual(keyRefusals.malformed);
  });

  test("that does not exist", async () => {
    expect(await getSessionBy("a".repeat(64))).toEqual(keyRefusals.unknown);
  });

  test("right after it was deleted", async () => {
    const refused = await refuse({}, ({ id }) => deleteKey(ada, id));
    expect(refused).toEqual(keyRefusals.unknown);
  });

  test("that is disabled", async () => {
    const refused = await refuse({}, ({ id }) => updateKey(ada, id, { enabled: false }));
    expect(refused).toEqual(keyRefusals.disabled);
  });

  test("that has expired, and is unknown from then on", async () => {
    const created = await createKeyFor(system, ada, { expiresIn: 86_400 });
    const past = "update apikey.api_key set expires_at = now() - interval '1 second' where id = $1";
    await rows.query(past, created.id);
    expect(await getSessionBy(created.key)).toEqual(keyRefusals.expired);
    expect(await getSessionBy(created.key)).toEqual(keyRefusals.unknown);
  });

  test("without remaining uses", async () => {
    const refused = await refuse({ remaining: 1 }, ({ key }) => getSessionBy(key));
    expect(refused).toEqual(keyRefusals.exhausted);
  });

  test.each<[string, object, object]>([
    ["has other permissions", { projects: ["read"] }, keyRefusals.forbidden],
    ["has other permissions of sessions", { session: ["list"] }, keyRefusals.forbidden],
    ["may use sessions", { projects: ["read"], session: ["use"] }, { status: 200 }],
  ])("or not, if it %s", async (_case, permissions, answer) => {
    const { key } = await createKeyFor(system, ada, { permissions });
    expect(await getSessionBy(key)).toMatchObject(answer);
  });

  test("of a banned owner at once, until the ban is lifted", async () => {
    const { key } = await createKey(ada);
    const userId = ada.user.id;
    expect((await callAdmin(admin, "/ban-user", { userId })).status).toBe(200);
    expect(await getSessionBy(key)).toEqual(keyRefusals.banned);
    expect((await callAdmin(admin, "/unban-user", { userId })).status).toBe(200);
    expect(await getSessionBy(key)).toMatchObject({ status: 200 });
  });

  test("of a deleted owner at once", async () => {
    const { key } = await createKey(ada);
    expect((await callAdmin(admin, "/remove-user", { userId: ada.user.id })).status).toBe(200);
    expect(await getSessionBy(key)).toEqual(keyRefusals.unknown);
  });

  test("with all others of its user after a reset that verifies an unverified address", async () => {
    const keys = [
      await createKey(ada),
      await createKeyFor(system, ada),
      await createKeyFor(system, ada),
    ];
    for (const { key } of keys) expect(await getSessionBy(key)).toMatchObject({ status: 200 });
    await resetByMail(system, ada.email);
    for (const { key } of keys) {
      expect(await getSessionBy(key)).toEqual(keyRefusals.unknown);
      expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
    }
    const owner = createBrowserLike(system.url);
    const body = { email: ada.email, password: newPassword };
    expect((await owner.post("/sign-in/email", body)).status).toBe(200);
    expect(await listKeys({ browser: owner })).toEqual([]);
    expect(await getSessionBy((await createKey({ browser: owner })).key)).toMatchObject({
      status: 200,
    });
  });

  test("of a user with a verified address after a reset", async () => {
    await verifyAddress(rows, ada.user.id);
    const { key } = await createKey(ada);
    await resetByMail(system, ada.email);
    expect(await getSessionBy(key)).toEqual(keyRefusals.unknown);
  });
});

test("the current role of a key's owner applies", async () => {
  const person = await signUpAs(system, "admin");
  const { browser } = clientWithKey(system, (await createKey(person)).key);
  expect((await browser.get("/admin/list-users")).status).toBe(200);
  await setRole(system, person.user.id, "user");
  expect((await readResponse(await browser.get("/admin/list-users"))).status).toBe(403);
});

test("a request without a key is answered as before", async () => {
  expect(await userIdOf(ada)).toBe(ada.user.id);
  expect(await userIdOf({ browser: createBrowserLike(system.url) })).toBeUndefined();
});
