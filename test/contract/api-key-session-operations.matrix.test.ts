import { type Operation, operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { errors } from "../harness/api-key-errors.ts";
import {
  clientWithKey,
  type CreatedKey,
  createKey,
  getSession,
  keySessionConfig,
  userIdOf,
} from "../harness/api-keys.ts";
import { byUser } from "../harness/audit.ts";
import { firstOfKind, representatives, sessionStores } from "../harness/matrix.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { createOrganization } from "../harness/organizations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import {
  callAdmin,
  password,
  readSession,
  signInElsewhere,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { everythingAbout, needsSession, tryOut } from "./every-operation.ts";

expectNoLeaks("file");

/**
 * Operations that no key may call: those that give or remove sign-in methods, return tokens or mails, set passwords or roles, or
 * change keys. `everythingAbout` names roles that manage the installation or an organization.
 */
const closed = [
  "adminAddMember",
  "adminCreateApiKey",
  "adminCreateImpersonationLink",
  "adminCreateUser",
  "adminDeleteApiKey",
  "adminDisableApiKey",
  "adminEnableApiKey",
  "adminGetDelivery",
  "adminImpersonateUser",
  "adminInviteUser",
  "adminListUserSessions",
  "adminMergeUsers",
  "adminOpenImpersonationLink",
  "adminReadSignInState",
  "adminRemoveUserPasskey",
  "adminRerollApiKey",
  "adminResendUserInvitation",
  "adminResetTwoFactor",
  "adminRotateWebhookSecret",
  "adminSecureUser",
  "adminSetMemberRole",
  "adminSetRole",
  "adminSetUserPassword",
  "adminTransferOwnership",
  "adminUnbanUser",
  "adminUndoMerge",
  "adminUnlinkAccount",
  "adminUpdateApiKey",
  "adminUpdateWebhook",
  "adminVerifyUserEmail",
  "changeEmail",
  "changeEmailOtp",
  "changePassword",
  "createApiKey",
  "deleteAnonymousUser",
  "deleteApiKey",
  "deletePasskey",
  "deleteUser",
  "disableTwoFactor",
  "generateBackupCodes",
  "generateOneTimeToken",
  "generateRegisterOptions",
  "getAccessToken",
  "getTotpUri",
  "linkSocial",
  "listActivity",
  "listSessions",
  "listTrustedDevices",
  "listUserPasskeys",
  "readTwoFactorStatus",
  "refreshToken",
  "requestEmailChangeOtp",
  "rerollApiKey",
  "revokeTrustedDevice",
  "revokeTrustedDevices",
  "setActiveOrganization",
  "unlinkAccount",
  "updateApiKey",
  "updatePasskey",
  "updateSession",
  "verifyPassword",
  "verifyRegistration",
];

/** Operations that end the sessions of a user, or delete the user. */
const endings = new Set([
  "adminBanUser",
  "adminRemoveUser",
  "adminRevokeUserSession",
  "adminRevokeUserSessions",
]);

describe.each(sessionStores("redis"))("with sessions in $where, a key", ({ stores }) => {
  let ada: TestUser;
  let key: CreatedKey;
  let byKey: { browser: BrowserLike };
  const user = { changeEmail: { enabled: true }, deleteUser: { enabled: true } };
  const { system, rows } = useSystem({
    stores,
    config: keySessionConfig(
      {},
      {
        user,
        anonymous: { enabled: true },
        emailVerification: { sendOnSignUp: false },
        emailOTP: { enabled: true },
      },
    ),
  });
  beforeEach(async () => {
    ada = await signUp(system);
    key = await createKey(ada);
    byKey = clientWithKey(system, key.key);
  });

  /** Returns the actors of changes to a user or organization, with their details. */
  const auditOf = (schema: "identity" | "organization", subjectId: string, actions: string[]) =>
    rows.query(
      `select action, actor_kind, actor_id, after from ${schema}.audit
       where subject_id = $1 and action = any($2) order by id`,
      subjectId,
      actions,
    );
  const lives = async ({ browser }: { browser: BrowserLike }) =>
    (await userIdOf({ browser })) === ada.user.id;
  const status = { status: 200, body: { status: true }, cookies: [] };

  test("of an admin cannot change sign-in methods, read sessions or touch keys", async () => {
    const [admin, bob, outgoing] = [
      await signUpAs(system, "admin"),
      await signUp(system),
      await signUp(system),
    ];
    const client = clientWithKey(system, (await createKey(admin)).key);
    const forbidden: string[] = [];
    const leaking: string[] = [];
    for (const declared of needsSession) {
      const body = everythingAbout(endings.has(declared.name) ? outgoing : bob);
      const sent = { params: { id: "some" }, query: { token: "some" }, body };
      const answer = await tryOut(client, declared, sent);
      const text = await answer.text();
      if (answer.status === 403 && text === JSON.stringify(errors.forbidden.body))
        forbidden.push(declared.name);
      if ([admin, bob, outgoing].some(({ token }) => text.includes(token)))
        leaking.push(declared.name);
    }
    expect(forbidden.toSorted()).toEqual(closed);
    expect(leaking).toEqual([]);
    const { browser, status } = await trySignIn(system, bob.email);
    expect([status, (await readSession(browser))?.user.role]).toEqual([200, "user"]);
  });

  test("works for other operations that need a session, and never sets a cookie", async () => {
    const admin = await signUpAs(system, "admin");
    const ofAnybody = needsSession.filter(({ access }) => access !== "permission");
    // The gateway opens a session by a key before it knows the operation.
    const some = (those: readonly Operation[]) =>
      representatives(
        those,
        firstOfKind(({ owner, feature, method, access }) =>
          [owner, feature, method, access].join(),
        ),
      );
    for (const [person, offered] of [
      [ada, some(ofAnybody)],
      [admin, some(needsSession)],
    ] as const) {
      const client = clientWithKey(system, (await createKey(person)).key);
      for (const declared of offered) {
        const answer = await tryOut(client, declared, { params: { id: "some" } });
        expect([declared.name, answer.status < 500]).toEqual([declared.name, true]);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
  });

  test("signs nobody out", async () => {
    const { status, body, cookies } = await readResponse(await byKey.browser.post("/sign-out"));
    expect([status, body]).toEqual([200, { success: true }]);
    // A sign-out without a session of its own still clears the browser.
    expect(cookies.filter((cookie) => !/; max-age=0(?:;|$)/i.test(cookie))).toEqual([]);
    expect(await lives(byKey)).toBe(true);
  });

  test("is not a session that can be revoked", async () => {
    const answer = await byKey.browser.post("/revoke-session", { token: key.key });
    const notFound = errorResponse(400, "SESSION_NOT_FOUND", "Session not found");
    expect(await readResponse(answer)).toEqual(notFound);
    expect(await lives(byKey)).toBe(true);
  });

  test.each(["/revoke-other-sessions", "/revoke-sessions"])(
    "ends every session of its owner by %s, and keeps working",
    async (path) => {
      const other = await signInElsewhere(system, ada);
      expect(await readResponse(await byKey.browser.post(path))).toEqual(status);
      expect(await Promise.all([ada, other].map(lives))).toEqual([false, false]);
      expect(await lives(byKey)).toBe(true);
    },
  );

  test("changes no password, even with the old one, which the key's holder may have guessed", async () => {
    const body = { currentPassword: password, newPassword: "a new password" };
    const changed = await readResponse(await byKey.browser.post("/change-password", body));
    expect(changed).toEqual(errors.forbidden);
    expect((await trySignIn(system, ada.email)).status).toBe(200);
  });

  /** Attack: a stolen key changes the username that its owner signs in with. */
  test("changes its owner's profile, but not the username", async () => {
    const username = `ada_${ada.email.replace(/\D/g, "")}`;
    expect((await ada.browser.post("/update-user", { username })).status).toBe(200);
    for (const change of [{ username: "mallory" }, { displayUsername: "M", name: "Mallory" }])
      expect(await readResponse(await byKey.browser.post("/update-user", change))).toEqual(
        errors.forbidden,
      );
    const named = await byKey.browser.post("/update-user", { name: "Augusta" });
    expect(await readResponse(named)).toEqual(status);
    expect((await getSession(byKey)).body?.user).toMatchObject({ username, name: "Augusta" });
    expect((await getSession(ada)).body?.user).toMatchObject({ username, name: "Augusta" });
  });

  test("returns a signed token of its owner, which does not contain the key", async () => {
    const answer = await byKey.browser.get("/token");
    const { token } = (await answer.json()) as { token: string };
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    expect(JSON.parse(payload)).toMatchObject({ sub: ada.user.id, email: ada.email });
    expect(payload).not.toContain(key.key);
  });

  test("works with organizations that are named, but cannot activate one", async () => {
    const { id: organizationId } = await createOrganization(byKey);
    expect(await auditOf("organization", organizationId, ["organization.created"])).toMatchObject([
      { action: "organization.created", ...byUser(ada), after: { viaApiKey: key.id } },
    ]);
    const query = { query: { organizationId } };
    const { getFullOrganization, setActiveOrganization } = operations.organization;
    expect(await expectOk(callOperation(byKey, getFullOrganization, query))).toMatchObject({
      id: organizationId,
    });
    const chosen = await callOperation(byKey, setActiveOrganization, { body: { organizationId } });
    expect(chosen).toEqual(errors.forbidden);
    expect((await getSession(ada)).body?.session["activeOrganizationId"]).toBeNull();
    const stranger = clientWithKey(system, (await createKey(await signUp(system))).key);
    expect((await callOperation(stranger, getFullOrganization, query)).status).toBe(403);
  });

  test("lists the keys of its owner only", async () => {
    const { getApiKey, listApiKeys } = operations.apikey;
    const foreign = await createKey(await signUp(system));
    expect(await expectOk(callOperation<unknown[]>(byKey, listApiKeys))).toHaveLength(1);
    expect((await callOperation(byKey, getApiKey, { query: { id: key.id } })).status).toBe(200);
    expect(await callOperation(byKey, getApiKey, { query: { id: foreign.id } })).toEqual(
      errors.notFound,
    );
  });

  test("of an admin may call admin operations in the admin's name, and the audit log records the key", async () => {
    const admin = await signUpAs(system, "admin");
    const { id, key: text } = await createKey(admin);
    const { browser } = clientWithKey(system, text);
    const ban = (userId: string) => browser.post("/admin/ban-user", { userId });
    expect((await ban(ada.user.id)).status).toBe(200);
    expect(await lives(ada)).toBe(false);
    expect((await ban(admin.user.id)).status).toBe(400);
    expect((await callAdmin(admin, "/unban-user", { userId: ada.user.id })).status).toBe(200);
    const actions = ["user.banned", "user.unbanned"];
    expect(await auditOf("identity", ada.user.id, actions)).toMatchObject([
      { action: "user.banned", ...byUser(admin), after: { banned: true, viaApiKey: id } },
      { action: "user.unbanned", ...byUser(admin), after: { banned: false } },
    ]);
  });
});
