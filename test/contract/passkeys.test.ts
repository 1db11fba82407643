import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks, type SoftwareAuthenticator } from "@latchkey/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { actorsOf, byUser } from "../harness/audit.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  beginPasskeySignIn,
  beginRegistration,
  newAuthenticator,
  type PasskeyView,
  registerPasskey,
  tryPasskeySignIn,
} from "../harness/passkeys.ts";
import { serviceConfig } from "../harness/operations.ts";
import { readResponse } from "../harness/responses.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  impersonateInRows,
  isSessionToken,
  readSession,
  signUp,
  signUpAs,
  type TestUser,
} from "../harness/users.ts";
import { makeSessionsStale } from "../harness/rows.ts";

expectNoLeaks("file");

const { system, rows } = useSystem({ stores: "postgres", config: serviceConfig });

const newPerson = async (): Promise<TestUser & { authenticator: SoftwareAuthenticator }> => ({
  ...(await signUp(system)),
  authenticator: newAuthenticator(system),
});
const list = async (browser: BrowserLike) =>
  readResponse<PasskeyView[]>(await browser.get("/passkey/list-user-passkeys"));
const post = async (browser: BrowserLike, path: string, body: object) =>
  readResponse<{ code?: string } & Record<string, unknown>>(
    await browser.post(`/passkey${path}`, body),
  );
const isLate = { status: 403, body: { code: "SESSION_IS_NOT_FRESH" } };

/** Makes the last authentication of a user's sessions two days old. */
const age = (userId: string) => makeSessionsStale(rows, userId);

test("a user registers, names and lists a passkey, signs in by it elsewhere and deletes it", async () => {
  const { browser, authenticator, user } = await newPerson();
  const passkey = await registerPasskey(browser, authenticator, "  My key  ");
  expect(passkey).toEqual({
    id: expect.any(String),
    name: "My key",
    publicKey: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    userId: user.id,
    credentialID: expect.stringMatching(/^[\w-]+$/),
    counter: 0,
    deviceType: "singleDevice",
    backedUp: false,
    transports: "internal,hybrid",
    createdAt: expect.any(String),
    aaguid: "00000000-0000-0000-0000-000000000000",
    lastUsedAt: null,
  });
  const { id } = passkey;
  expect(await post(browser, "/update-passkey", { id, name: " Other " })).toMatchObject({
    status: 200,
    body: { passkey: { id, name: "Other" } },
  });
  const elsewhere = createBrowserLike(system.url);
  const { status, body } = await tryPasskeySignIn(elsewhere, authenticator);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { user: { id: user.id, email: expect.any(String) }, session: { userId: user.id } },
  });
  expect(Object.keys(body).toSorted()).toEqual(["session", "user"]);
  expect((await readSession(elsewhere))?.session.token).toBe(body.session?.token);
  expect((await list(elsewhere)).body).toMatchObject([
    { id, name: "Other", counter: 1, lastUsedAt: expect.any(String) },
  ]);
  expect(await post(browser, "/delete-passkey", { id })).toMatchObject({
    status: 200,
    body: { status: true },
  });
  expect((await list(browser)).body).toEqual([]);
  expect(await readSession(elsewhere)).not.toBeNull();
});

test("registration and removal are told by mail and audited", async () => {
  const { browser, authenticator, user, email } = await newPerson();
  const subjectIs = (start: string) =>
    system.smtp.waitForMail((mail) => mail.to.includes(email) && mail.subject.startsWith(start));
  const { id } = await registerPasskey(browser, authenticator, "My key");
  expect((await subjectIs("A passkey was added")).text).toContain("“My key”");
  await post(browser, "/delete-passkey", { id });
  await subjectIs("A passkey was removed");
  for (const action of ["passkey.added", "passkey.removed"])
    expect(await actorsOf(rows, action, user.id)).toEqual([byUser({ user })]);
});

describe("the options", () => {
  test("of a registration are those of WebAuthn, with a signed cookie of five minutes", async () => {
    const { browser, email } = await newPerson();
    const response = await browser.get("/passkey/generate-register-options?name=Key&context=a");
    expect(await response.json()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { name: "Latchkey", id: "localhost" },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: email, displayName: "Ada" },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: "public-key" })),
      timeout: 300_000,
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        userVerification: "preferred",
        requireResidentKey: true,
      },
      extensions: { credProps: true },
      hints: [],
    });
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^auth\.passkey_challenge=[\w%.-]+; (?=.*Max-Age=300)(?=.*Path=\/)(?=.*HttpOnly)(?=.*SameSite=Lax)/,
    );
  });

  test("of a sign-in come by GET and by POST, and name nobody's credentials", async () => {
    const browser = createBrowserLike(system.url);
    const path = "/passkey/generate-authenticate-options";
    for (const response of [await browser.get(path), await browser.post(path, { email: "a@b.c" })])
      expect(await response.json()).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rpId: "localhost",
        timeout: 300_000,
        userVerification: "preferred",
      });
  });

  test("of two tabs work side by side", async () => {
    const { browser, authenticator } = await newPerson();
    const tabs = [await beginRegistration(browser), await beginRegistration(browser)];
    for (const options of tabs) {
      const response = authenticator.create(options);
      expect((await post(browser, "/verify-registration", { response })).status).toBe(200);
    }
  });

  test("work in no browser whose cookie is missing or forged", async () => {
    const { browser, authenticator } = await newPerson();
    await registerPasskey(browser, authenticator);
    for (const forged of [undefined, "forged.value"]) {
      const other = createBrowserLike(system.url);
      const response = authenticator.get(await beginPasskeySignIn(other));
      const name = "auth.passkey_challenge";
      expect(other.cookies.has(name)).toBe(true);
      if (forged === undefined) other.cookies.delete(name);
      else other.cookies.set(name, forged);
      expect(await post(other, "/verify-authentication", { response })).toMatchObject({
        status: 400,
        body: { code: "CHALLENGE_NOT_FOUND" },
      });
    }
  });
});

describe("input", () => {
  test.each<[string, string, object]>([
    ["no response of a registration", "/verify-registration", {}],
    ["a response beyond 64 KiB", "/verify-registration", { response: "x".repeat(65_536) }],
    ["a long name", "/verify-registration", { response: {}, name: "x".repeat(65) }],
    ["a response that is no object", "/verify-authentication", { response: "x" }],
    ["a blank name", "/update-passkey", { id: "some", name: "  " }],
    ["a long new name", "/update-passkey", { id: "some", name: "x".repeat(65) }],
    ["no id", "/delete-passkey", {}],
  ])("is refused: %s", async (_case, path, body) => {
    const { browser } = await signUp(system);
    expect(await post(browser, path, body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR" },
    });
  });

  test("of a blank name at a registration becomes null", async () => {
    const { browser, authenticator } = await newPerson();
    expect(await registerPasskey(browser, authenticator, "  ")).toMatchObject({ name: null });
  });
});

test("another user's passkey is neither renamed nor deleted nor listed", async () => {
  const [mine, theirs] = [await newPerson(), await newPerson()];
  const { id } = await registerPasskey(theirs.browser, theirs.authenticator, "Key");
  const notFound = { status: 404, body: { code: "PASSKEY_NOT_FOUND" } };
  for (const wanted of [id, "unknown"]) {
    expect(await post(mine.browser, "/update-passkey", { id: wanted, name: "Mine" })).toMatchObject(
      notFound,
    );
    expect(await post(mine.browser, "/delete-passkey", { id: wanted })).toMatchObject(notFound);
  }
  expect((await list(mine.browser)).body).toEqual([]);
  expect((await list(theirs.browser)).body).toMatchObject([{ id, name: "Key" }]);
});

describe("a session that is not strong", () => {
  test("neither adds nor deletes passkeys, until a passkey renews it", async () => {
    const { browser, authenticator, user, token } = await newPerson();
    const { id } = await registerPasskey(browser, authenticator);
    await age(user.id);
    const options = await readResponse(await browser.get("/passkey/generate-register-options"));
    expect(options).toMatchObject(isLate);
    expect(await post(browser, "/verify-registration", { response: {} })).toMatchObject(isLate);
    expect(await post(browser, "/delete-passkey", { id })).toMatchObject(isLate);
    const { status, body } = await tryPasskeySignIn(browser, authenticator);
    expect(status).toBe(200);
    expect(body.session?.token).not.toBe(token);
    expect(await isSessionToken(system, token)).toBe(false);
    expect(await post(browser, "/delete-passkey", { id })).toMatchObject({ status: 200 });
  });

  test("of a user with a second factor becomes strong by a passkey that verifies its user", async () => {
    const { browser, authenticator, user } = await newPerson();
    const { id } = await registerPasskey(browser, authenticator);
    await enableApp({ browser });
    await rows.query(
      "update identity.session set second_factor_at = now() - interval '2 days' where user_id = $1",
      user.id,
    );
    expect(await post(browser, "/delete-passkey", { id })).toMatchObject({
      ...isLate,
      body: { details: { requires: "second-factor" } },
    });
    expect((await tryPasskeySignIn(browser, authenticator)).status).toBe(200);
    expect(await post(browser, "/delete-passkey", { id })).toMatchObject({ status: 200 });
  });
});

test("a passkey without user verification waits for the second factor, or is it", async () => {
  const person = await signUp(system);
  const authenticator = newAuthenticator(system, { verifiesUser: false });
  await registerPasskey(person.browser, authenticator);
  await enableApp(person);
  const alone = createBrowserLike(system.url);
  expect(await tryPasskeySignIn(alone, authenticator)).toMatchObject({
    status: 200,
    body: { twoFactorRedirect: true, twoFactorMethods: ["totp"] },
  });
  expect(await readSession(alone)).toBeNull();
  const second = await beginChallenge(system, person);
  expect((await tryPasskeySignIn(second, authenticator)).body.user?.id).toBe(person.user.id);
  expect(await readSession(second)).not.toBeNull();
});

test("impersonators may list passkeys and nothing else", async () => {
  const { browser, authenticator, user } = await newPerson();
  const { id } = await registerPasskey(browser, authenticator);
  await impersonateInRows(system, rows, user.id);
  const forbidden = { status: 403, body: { code: "FORBIDDEN" } };
  const options = await readResponse(await browser.get("/passkey/generate-register-options"));
  expect(options).toMatchObject(forbidden);
  const calls = { "/verify-registration": { response: {} }, "/update-passkey": { id, name: "x" } };
  for (const [path, body] of Object.entries({ ...calls, "/delete-passkey": { id } }))
    expect(await post(browser, path, body)).toMatchObject(forbidden);
  expect((await list(browser)).body).toMatchObject([{ id }]);
});

describe("admins", () => {
  const listOf = async ({ browser }: TestUser, userId: string) =>
    readResponse<{ passkeys?: object[]; code?: string }>(
      await browser.get(`/admin/list-user-passkeys?userId=${userId}`),
    );

  test("list the passkeys of a user without their keys, and remove one", async () => {
    const admin = await signUpAs(system, "admin");
    const { browser, authenticator, user, email } = await newPerson();
    const { id } = await registerPasskey(browser, authenticator, "Key");
    const { body } = await listOf(admin, user.id);
    expect(body.passkeys).toMatchObject([{ id, name: "Key" }]);
    for (const secret of ["publicKey", "credentialID"])
      expect(body.passkeys?.[0]).not.toHaveProperty(secret);
    const removal = { userId: user.id, id };
    expect(await callAdmin(admin, "/remove-user-passkey", removal)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await callAdmin(admin, "/remove-user-passkey", removal)).toMatchObject({
      status: 404,
      body: { code: "PASSKEY_NOT_FOUND" },
    });
    expect(await actorsOf(rows, "passkey.removed", user.id)).toEqual([byUser(admin)]);
    await system.smtp.waitForMail(
      (mail) => mail.to.includes(email) && mail.subject.startsWith("A passkey was removed"),
    );
    expect((await tryPasskeySignIn(createBrowserLike(system.url), authenticator)).status).toBe(401);
  });

  test("need the permission, a strong session and an existing user", async () => {
    const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
    const refusal = { status: 403, body: { code: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS" } };
    const removal = { userId: person.user.id, id: "some" };
    expect(await listOf(person, admin.user.id)).toMatchObject(refusal);
    expect(await callAdmin(person, "/remove-user-passkey", removal)).toMatchObject(refusal);
    const unknown = { status: 404, body: { code: "USER_NOT_FOUND" } };
    expect(await listOf(admin, "nobody")).toMatchObject(unknown);
    expect(
      await callAdmin(admin, "/remove-user-passkey", { userId: "nobody", id: "some" }),
    ).toMatchObject(unknown);
    await age(admin.user.id);
    expect(await callAdmin(admin, "/remove-user-passkey", removal)).toMatchObject(isLate);
  });
});

describe("the configuration", () => {
  const started: System[] = [];
  afterAll(() => Promise.all(started.map((one) => one.stop())));
  const start = async (own: LatchkeyConfig) => {
    const one = await startSystem({ stores: "postgres", config: { ...serviceConfig, ...own } });
    started.push(one);
    return one;
  };

  test("turns every operation off", async () => {
    const off = await start({ passkey: { enabled: false } });
    const { browser } = await signUp(off);
    for (const path of ["/generate-register-options", "/generate-authenticate-options"])
      expect((await browser.get(`/passkey${path}`)).status).toBe(404);
    expect((await post(browser, "/verify-authentication", { response: {} })).status).toBe(404);
    expect((await list(browser)).status).toBe(404);
  });

  test("limits verifications to ten in ten seconds, and options as any operation", async () => {
    const limited = await start({ rateLimit: { enabled: true } });
    const browser = createBrowserLike(limited.url);
    // Concurrently, because sequential calls can outlast the window on a busy machine.
    const verified = await Promise.all(
      Array.from({ length: 11 }, () => post(browser, "/verify-authentication", { response: {} })),
    );
    const statuses = verified.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    await Promise.all(Array.from({ length: 20 }, () => beginPasskeySignIn(browser)));
  });
});
