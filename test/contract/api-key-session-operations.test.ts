import { allOperations, type Operation, operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { targetOf } from "../../scripts/prove/http/target-of.ts";
import type { BrowserLike } from "../browser-like.ts";
import { type Stack, startStack } from "../stack.ts";
import { askAs, byUser, everywhere, opens, signUpAs, trySignIn, whoIs } from "./admin-people.ts";
import { type CreatedKey, createKey, errors } from "./api-key-people.ts";
import {
  newEmail,
  openRows,
  password,
  refusal,
  type Rows,
  seen,
  type SignedUp,
  signUp,
} from "./identity-people.ts";
import { getSession, keySessionConfig, userIdOf, withKey } from "./key-callers.ts";
import { create, done, elsewhere, send, type Sent } from "./organization-people.ts";

expectNoLeaks("file");

const needsSession = allOperations.filter(
  ({ exposure, access }) => exposure === "public" && access !== "anyone",
);

/**
 * What no key may do, whoever its owner is: what gives or takes ways in, shows tokens of sessions or mails, sets passwords or roles, or
 * touches keys.
 */
const closed = [
  "adminCreateApiKey",
  "adminCreateUser",
  "adminDeleteApiKey",
  "adminDisableApiKey",
  "adminEnableApiKey",
  "adminGetDelivery",
  "adminImpersonateUser",
  "adminListUserSessions",
  "adminSetRole",
  "adminSetUserPassword",
  "changeEmail",
  "createApiKey",
  "deleteApiKey",
  "deleteUser",
  "getAccessToken",
  "linkSocial",
  "listSessions",
  "refreshToken",
  "setActiveOrganization",
  "unlinkAccount",
  "updateApiKey",
];

/** What ends the sessions of a user, or the user. */
const endings = new Set([
  "adminBanUser",
  "adminRemoveUser",
  "adminRevokeUserSession",
  "adminRevokeUserSessions",
]);

/** What nearly every operation takes, all of it about somebody. */
const everythingAbout = ({ user, token }: SignedUp) => ({
  userId: user.id,
  role: "admin",
  email: newEmail(),
  newEmail: newEmail(),
  name: "Mallory",
  password: "a password of mallory",
  newPassword: "a password of mallory",
  token,
  sessionToken: token,
  provider: "google",
  providerId: "google",
  organizationId: null,
  keyId: "some",
});

/** Asks without a body that would be refused before anything else. */
const tryOut = async (client: { browser: BrowserLike }, declared: Operation, sent: Sent) => {
  const address = targetOf(declared, sent);
  const { browser } = client;
  return declared.method === "GET" ? browser.get(address) : browser.post(address, sent.body ?? {});
};

describe.each(everywhere)("with sessions in $where, a key", ({ stores, session }) => {
  let stack: Stack;
  let rows: Rows;
  let ada: SignedUp;
  let key: CreatedKey;
  let byKey: { browser: BrowserLike };
  beforeAll(async () => {
    const user = { changeEmail: { enabled: true }, deleteUser: { enabled: true } };
    stack = await startStack({ stores, config: keySessionConfig({}, { session, user }) });
    rows = openRows(stack);
  });
  beforeEach(async () => {
    ada = await signUp(stack);
    key = await createKey(ada);
    byKey = withKey(stack, key.key);
  });
  afterAll(async () => {
    await rows.close();
    await stack.stop();
  });

  /** Who changed a user or an organization so, and what is told of it. */
  const auditOf = (schema: "identity" | "organization", subjectId: string, actions: string[]) =>
    rows.ask(
      `select action, actor_kind, actor_id, after from ${schema}.audit
       where subject_id = $1 and action = any($2) order by id`,
      subjectId,
      actions,
    );
  const lives = async ({ browser }: { browser: BrowserLike }) =>
    (await userIdOf({ browser })) === ada.user.id;
  const status = { status: 200, body: { status: true }, cookies: [] };

  test("of an admin gives or takes no way in, shows no session, and touches no key", async () => {
    const [admin, bob, outgoing] = [
      await signUpAs(stack, "admin"),
      await signUp(stack),
      await signUp(stack),
    ];
    const client = withKey(stack, (await createKey(admin)).key);
    const forbidden: string[] = [];
    const leaking: string[] = [];
    for (const declared of needsSession) {
      const body = everythingAbout(endings.has(declared.name) ? outgoing : bob);
      const answer = await tryOut(client, declared, { params: { id: "some" }, body });
      const told = await answer.text();
      if (answer.status === 403 && told === JSON.stringify(errors.forbidden.body))
        forbidden.push(declared.name);
      if ([admin, bob, outgoing].some(({ token }) => told.includes(token)))
        leaking.push(declared.name);
    }
    expect(forbidden.toSorted()).toEqual(closed);
    expect(leaking).toEqual([]);
    const { browser, status } = await trySignIn(stack, bob.email);
    expect([status, (await whoIs(browser))?.user.role]).toEqual([200, "user"]);
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
    expect(await auditOf("organization", organizationId, ["organization.created"])).toMatchObject([
      { action: "organization.created", ...byUser(ada), after: { viaApiKey: key.id } },
    ]);
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

  test("of an admin does what admins do, in the admin's name, and the audit tells of the key", async () => {
    const admin = await signUpAs(stack, "admin");
    const { id, key: text } = await createKey(admin);
    const { browser } = withKey(stack, text);
    const ban = (userId: string) => browser.post("/admin/ban-user", { userId });
    expect((await ban(ada.user.id)).status).toBe(200);
    expect(await lives(ada)).toBe(false);
    expect((await ban(admin.user.id)).status).toBe(400);
    expect((await askAs(admin, "/unban-user", { userId: ada.user.id })).status).toBe(200);
    const actions = ["user.banned", "user.unbanned"];
    expect(await auditOf("identity", ada.user.id, actions)).toMatchObject([
      { action: "user.banned", ...byUser(admin), after: { banned: true, viaApiKey: id } },
      { action: "user.unbanned", ...byUser(admin), after: { banned: false } },
    ]);
  });
});
