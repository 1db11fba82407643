import { allOperations, type Operation, operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import { everywhere, opens, signUpAs, trySignIn } from "./admin-people.ts";
import { type CreatedKey, createKey, errors } from "./api-key-people.ts";
import { password, refusal, seen, type SignedUp, signUp } from "./identity-people.ts";
import { getSession, keySessionConfig, userIdOf, withKey } from "./key-callers.ts";
import { addressOf, create, done, elsewhere, send, type Sent } from "./organization-people.ts";

expectNoLeaks("file");

const needsSession = allOperations.filter(
  ({ exposure, access }) => exposure === "public" && access !== "anyone",
);

/** What each operation that is closed to keys would take of anybody else. */
const closed: Readonly<Record<string, Sent>> = {
  listSessions: {},
  changeEmail: { body: { newEmail: "new@example.com" } },
  deleteUser: { body: {} },
  unlinkAccount: { body: { providerId: "credential" } },
  linkSocial: { body: { provider: "google" } },
  getAccessToken: { body: { providerId: "google" } },
  refreshToken: { body: { providerId: "google" } },
  adminImpersonateUser: { body: { userId: "somebody" } },
  setActiveOrganization: { body: { organizationId: null } },
  createApiKey: { body: {} },
  updateApiKey: { body: { keyId: "some", name: "A" } },
  deleteApiKey: { body: { keyId: "some" } },
  adminDisableApiKey: { params: { id: "some" } },
  adminEnableApiKey: { params: { id: "some" } },
  adminDeleteApiKey: { params: { id: "some" } },
};

/** Asks without a body that would be refused before anything else. */
const tryOut = async (client: { browser: BrowserLike }, declared: Operation, sent: Sent) => {
  const address = addressOf(declared, sent);
  const { browser } = client;
  return declared.method === "GET" ? browser.get(address) : browser.post(address, sent.body ?? {});
};

describe.each(everywhere)("with sessions in $where, a key", ({ stores, session }) => {
  let stack: Stack;
  let ada: SignedUp;
  let key: CreatedKey;
  let byKey: { browser: BrowserLike };
  beforeAll(async () => {
    const user = { changeEmail: { enabled: true }, deleteUser: { enabled: true } };
    stack = await startStack({ stores, config: keySessionConfig({}, { session, user }) });
  });
  beforeEach(async () => {
    ada = await signUp(stack);
    key = await createKey(ada);
    byKey = withKey(stack, key.key);
  });
  afterAll(() => stack.stop());

  const lives = async ({ browser }: { browser: BrowserLike }) =>
    (await userIdOf({ browser })) === ada.user.id;
  const status = { status: 200, body: { status: true }, cookies: [] };

  test("gives or takes no way in, and touches no key, whatever its owner may do", async () => {
    const admin = await signUpAs(stack, "admin");
    const client = withKey(stack, (await createKey(admin)).key);
    const flagged = needsSession.filter(({ refusesApiKeys }) => refusesApiKeys);
    expect(flagged.map(({ name }) => name).toSorted()).toEqual(Object.keys(closed).toSorted());
    for (const declared of flagged)
      expect([
        declared.name,
        await seen(await tryOut(client, declared, closed[declared.name] ?? {})),
      ]).toEqual([declared.name, errors.forbidden]);
    expect(await userIdOf(admin)).toBe(admin.user.id);
  });

  test("never fails an operation that needs a session, and never sets a cookie", async () => {
    const admin = await signUpAs(stack, "admin");
    for (const person of [ada, admin]) {
      const client = withKey(stack, (await createKey(person)).key);
      for (const declared of needsSession) {
        const answer = await tryOut(client, declared, { params: { id: "some" } });
        expect([declared.name, answer.status < 500]).toEqual([declared.name, true]);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
  });

  test("signs nobody out", async () => {
    const failed = refusal(400, "FAILED_TO_GET_SESSION", "Failed to get session");
    expect(await seen(await byKey.browser.post("/sign-out"))).toEqual(failed);
    expect(await lives(byKey)).toBe(true);
  });

  test("is no session that could be revoked", async () => {
    const answer = await byKey.browser.post("/revoke-session", { token: key.key });
    const notFound = refusal(400, "SESSION_NOT_FOUND", "Session not found");
    expect(await seen(answer)).toEqual(notFound);
    expect(await lives(byKey)).toBe(true);
  });

  test.each(["/revoke-other-sessions", "/revoke-sessions"])(
    "ends every session of its owner by %s, and goes on",
    async (path) => {
      const other = await elsewhere(stack, ada);
      expect(await seen(await byKey.browser.post(path))).toEqual(status);
      expect(await Promise.all([ada, other].map(lives))).toEqual([false, false]);
      expect(await lives(byKey)).toBe(true);
    },
  );

  test("changes the password by the old one: every session ends, and none begins", async () => {
    const other = await elsewhere(stack, ada);
    const body = {
      currentPassword: password,
      newPassword: "a new password",
      revokeOtherSessions: true,
    };
    const changed = await seen(await byKey.browser.post("/change-password", body));
    expect(changed).toMatchObject({ status: 200, body: { token: null }, cookies: [] });
    expect(await Promise.all([ada, other].map(lives))).toEqual([false, false]);
    expect(await lives(byKey)).toBe(true);
    const signedIn = await trySignIn(stack, ada.email, { password: "a new password" });
    expect(signedIn.status).toBe(200);
    const again = { ...body, currentPassword: "wrong", newPassword: "another password" };
    const refused = await seen<{ code: string }>(
      await byKey.browser.post("/change-password", again),
    );
    expect([refused.status, refused.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    expect(await opens(stack, signedIn.body.token ?? "")).toBe(true);
  });

  test("changes its owner's record, whose username is not taken from them", async () => {
    const username = `ada_${ada.email.replace(/\D/g, "")}`;
    for (const change of [{ username }, { username, name: "Augusta" }])
      expect(await seen(await byKey.browser.post("/update-user", change))).toEqual(status);
    expect((await getSession(byKey)).body?.user).toMatchObject({ username, name: "Augusta" });
    expect((await getSession(ada)).body?.user).toMatchObject({ username, name: "Augusta" });
  });

  test("gives a signed token of its owner, in which the key is not", async () => {
    const answer = await byKey.browser.get("/token");
    const { token } = (await answer.json()) as { token: string };
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    expect(JSON.parse(payload)).toMatchObject({ sub: ada.user.id, email: ada.email });
    expect(payload).not.toContain(key.key);
  });

  test("works in organizations that are named, and chooses none", async () => {
    const { id: organizationId } = await create(byKey);
    const query = { query: { organizationId } };
    const { getFullOrganization, setActiveOrganization } = operations.organization;
    expect(await done(send(byKey, getFullOrganization, query))).toMatchObject({
      id: organizationId,
    });
    const chosen = await send(byKey, setActiveOrganization, { body: { organizationId } });
    expect(chosen).toEqual(errors.forbidden);
    expect((await getSession(ada)).body?.session["activeOrganizationId"]).toBeNull();
    const stranger = withKey(stack, (await createKey(await signUp(stack))).key);
    expect((await send(stranger, getFullOrganization, query)).status).toBe(403);
  });

  test("shows the keys of its owner, and nobody else's", async () => {
    const { getApiKey, listApiKeys } = operations.apikey;
    const foreign = await createKey(await signUp(stack));
    expect(await done(send<unknown[]>(byKey, listApiKeys))).toHaveLength(1);
    expect((await send(byKey, getApiKey, { query: { id: key.id } })).status).toBe(200);
    expect(await send(byKey, getApiKey, { query: { id: foreign.id } })).toEqual(errors.notFound);
  });

  test("of an admin does what admins do, in the admin's name", async () => {
    const admin = await signUpAs(stack, "admin");
    const { browser } = withKey(stack, (await createKey(admin)).key);
    const ban = (userId: string) => browser.post("/admin/ban-user", { userId });
    expect((await ban(ada.user.id)).status).toBe(200);
    expect(await lives(ada)).toBe(false);
    expect((await ban(admin.user.id)).status).toBe(400);
  });
});
