import type { LatchkeyConfig } from "@latchkey/contracts";
import { signValue, createSecretRing } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { impersonateInRows, password, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const done = { status: 200, body: { status: true }, cookies: [] };
const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const usernameTaken = errorResponse(
  422,
  "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
  "username is already taken. please try another.",
);
const failed = errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user");

/** Whether the application vetoes changes of users. */
let isVetoed = false;
afterEach(() => {
  isVetoed = false;
});

const config: LatchkeyConfig = {
  databaseHooks: { user: { update: { before: () => (isVetoed ? false : undefined) } } },
  user: {
    additionalFields: {
      plan: { type: ["free", "paid"], defaultValue: "free" },
      birthday: { type: "date", required: false },
      credit: { type: "number", input: false, defaultValue: 1 },
      note: { type: "string", required: false, returned: false },
      badge: { type: "string", required: false, unique: true },
    },
  },
};

interface Got {
  session: { id: string; expiresAt: string };
  user: Record<string, unknown>;
}

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, config });

  const update = async (browser: BrowserLike, body: unknown) =>
    readResponse(await browser.post("/update-user", body));
  const get = async (browser: BrowserLike): Promise<Got> => {
    const { body } = await readResponse<Got | null>(
      await browser.get("/get-session?disableRefresh=true"),
    );
    if (!body) throw new Error("there is no session");
    return body;
  };
  const signInAgain = async (email: string, own: object = {}) => {
    const browser = createBrowserLike(system.url);
    await browser.post("/sign-in/email", { email, password, ...own });
    return browser;
  };
  const rowOf = async (id: string) =>
    (await rows.query(`select * from identity."user" where id = $1`, id))[0] ?? {};

  test("every session of the user shows the change, and the browser gets its session cookie again", async () => {
    const { browser, email, token, user } = await signUp(system);
    const other = await signInAgain(email);
    const { session } = await get(browser);
    const { status, body, cookies } = await update(browser, { name: "Grace", image: "/a.png" });
    expect([status, body]).toEqual([200, { status: true }]);
    expect(cookies).toEqual([
      expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=60\d{4}; Path=\//),
    ]);
    expect(cookies[0]).toContain(`=${signValue(ring, token)};`);
    for (const holder of [browser, other])
      expect((await get(holder)).user).toMatchObject({
        id: user.id,
        name: "Grace",
        image: "/a.png",
      });
    expect((await get(browser)).session.expiresAt).toBe(session.expiresAt);
  });

  test("the audit log records actor and subject", async () => {
    const { browser, user } = await signUp(system);
    await update(browser, { name: "Grace" });
    const entries = await rows.query(
      "select actor_id, before, after from identity.audit where action = 'user.updated' and subject_id = $1",
      user.id,
    );
    expect(entries).toEqual([{ actor_id: user.id, before: null, after: { name: "changed" } }]);
  });

  test("null removes the image, and other fields stay", async () => {
    const { browser } = await signUp(system);
    await update(browser, { image: "/a.png" });
    expect((await update(browser, { image: null })).status).toBe(200);
    expect((await get(browser)).user).toMatchObject({ name: "Ada", image: null });
  });

  test("an empty name is valid", async () => {
    const { browser } = await signUp(system);
    expect((await update(browser, { name: "" })).status).toBe(200);
    expect((await get(browser)).user["name"]).toBe("");
  });

  test("a session that ends with the browser still does", async () => {
    const { email } = await signUp(system);
    const browser = await signInAgain(email, { rememberMe: false });
    const { cookies } = await update(browser, { name: "Grace" });
    expect(cookies[0]).toMatch(/^auth\.session_token=[^;]+; Path=\//);
  });

  test.each<Record<string, unknown>>([
    {},
    { foo: 1 },
    { email: "" },
    { id: "x", emailVerified: true, createdAt: 0, role: "admin", banned: true, revision: 7 },
    { password: "another password", credit: 1_000, extra: { plan: "paid" } },
    { constructor: 1, toString: "x" },
  ])("the body %j changes nothing and sets no cookie", async (body) => {
    const { browser, user } = await signUp(system);
    const before = await rowOf(user.id);
    expect(await update(browser, body)).toEqual(done);
    expect(await rowOf(user.id)).toEqual(before);
  });

  test.each([
    { name: null },
    { name: 1 },
    { name: "a\0b" },
    { name: "a".repeat(1_025) },
    { image: 1 },
    { image: "a\0b" },
    { displayUsername: null },
    [],
    "text",
  ])("rejects the body %j before authentication", async (body) => {
    const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
    expect(await update(createBrowserLike(system.url), body)).toMatchObject(expected);
    const { browser, user } = await signUp(system);
    const before = await rowOf(user.id);
    expect(await update(browser, body)).toMatchObject(expected);
    expect(await rowOf(user.id)).toEqual(before);
  });

  test("rejects callers without a session, whatever they send", async () => {
    for (const body of [{}, { name: "Eve" }, { email: "eve@example.com" }])
      expect(await update(createBrowserLike(system.url), body)).toEqual(unauthorized);
  });

  test("rejects an ended session", async () => {
    const { browser, user } = await signUp(system);
    const cookies = new Map(browser.cookies);
    await browser.post("/sign-out");
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await update(browser, { name: "Eve" })).toEqual(unauthorized);
    expect((await rowOf(user.id))["name"]).toBe("Ada");
  });

  test.each(["eve@example.com", 1, ["eve@example.com"]])(
    "rejects a change of the address, and of other fields with it: %j",
    async (email) => {
      const { browser, user } = await signUp(system);
      expect(await update(browser, { name: "Eve", email })).toEqual(
        errorResponse(400, "EMAIL_CAN_NOT_BE_UPDATED", "Email can not be updated"),
      );
      expect((await rowOf(user.id))["name"]).toBe("Ada");
    },
  );

  test("a veto by the application changes nothing", async () => {
    const { browser, user } = await signUp(system);
    isVetoed = true;
    expect(await update(browser, { name: "Grace" })).toEqual(failed);
    expect((await rowOf(user.id))["name"]).toBe("Ada");
  });

  describe("usernames", () => {
    test("is stored in lower case, and returned as typed", async () => {
      const { browser, user } = await signUp(system);
      const name = `Ada_${user.id.slice(0, 8)}`;
      await update(browser, { username: name });
      expect((await get(browser)).user).toMatchObject({
        username: name.toLowerCase(),
        displayUsername: name,
      });
      await update(browser, { displayUsername: "Ada L." });
      expect((await get(browser)).user).toMatchObject({
        username: name.toLowerCase(),
        displayUsername: "Ada L.",
      });
    });

    test("one of 16 users who request one username concurrently gets it", async () => {
      const people = await Promise.all(Array.from({ length: 16 }, () => signUp(system)));
      const username = `race_${people[0]?.user.id.slice(0, 8)}`;
      const answers = await Promise.all(
        people.map(({ browser }) => update(browser, { username, name: "Grace" })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toEqual(usernameTaken);
      const holders = await rows.query(
        `select name from identity."user" where username = $1`,
        username.toLowerCase(),
      );
      expect(holders).toEqual([{ name: "Grace" }]);
    });
  });

  describe("additional fields", () => {
    test("sent fields are changed, others stay, and hidden ones are not returned", async () => {
      const { browser, user } = await signUp(system);
      await update(browser, {
        plan: "paid",
        note: "a secret",
        birthday: "1815-12-10T00:00:00.000Z",
      });
      await update(browser, { badge: user.id });
      const { user: shown } = await get(browser);
      expect(shown).toMatchObject({
        plan: "paid",
        birthday: "1815-12-10T00:00:00.000Z",
        badge: user.id,
      });
      expect(shown).toMatchObject({ credit: 1 });
      expect(shown).not.toHaveProperty("note");
      expect((await rowOf(user.id))["extra"]).toMatchObject({ note: "a secret", credit: 1 });
    });

    test.each([
      [{ plan: "golden" }, "VALIDATION_ERROR"],
      [{ plan: null }, "PLAN_IS_REQUIRED"],
      [{ birthday: "tomorrow" }, "VALIDATION_ERROR"],
    ])("rejects the value %j and changes nothing", async (body, code) => {
      const { browser, user } = await signUp(system);
      const before = await rowOf(user.id);
      const answer = await update(browser, { name: "Grace", ...body });
      expect(answer).toMatchObject({ status: 400, body: { code }, cookies: [] });
      expect(await rowOf(user.id)).toEqual(before);
    });

    test("a unique value stays with its owner", async () => {
      const [ada, eve] = [await signUp(system), await signUp(system)];
      expect((await update(ada.browser, { badge: ada.user.id })).status).toBe(200);
      expect(await update(eve.browser, { name: "Eve", badge: ada.user.id })).toEqual(failed);
      expect((await rowOf(eve.user.id))["name"]).toBe("Ada");
    });
  });

  test("concurrent changes of one user all happen, and every session shows the last state", async () => {
    const { browser, email, user } = await signUp(system);
    const other = await signInAgain(email);
    const changes = [
      { name: "Grace" },
      { image: "/a.png" },
      { plan: "paid" },
      { note: "n" },
      { birthday: "1815-12-10T00:00:00.000Z" },
    ];
    const answers = await Promise.all(changes.map((change) => update(browser, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const expected = {
      name: "Grace",
      image: "/a.png",
      plan: "paid",
      birthday: "1815-12-10T00:00:00.000Z",
    };
    for (const holder of [browser, other]) expect((await get(holder)).user).toMatchObject(expected);
    expect((await rowOf(user.id))["extra"]).toMatchObject({ note: "n", plan: "paid" });
  });

  if (stores === "postgres")
    test("changes in an impersonation are audited under the admin", async () => {
      const { browser, user } = await signUp(system);
      const boss = await impersonateInRows(system, rows, user.id);
      await update(browser, { name: "Grace" });
      const entries = await rows.query(
        "select actor_kind, actor_id from identity.audit where action = 'user.updated' and subject_id = $1",
        user.id,
      );
      expect(entries).toEqual([{ actor_kind: "user", actor_id: boss }]);
    });
});
