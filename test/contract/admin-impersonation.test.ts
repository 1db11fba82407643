import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue, signVerificationToken } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { actorsOf, byUser } from "../harness/audit.ts";
import { representatives, sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { testSecret } from "../harness/stores.ts";
import {
  callAdmin,
  isSessionToken,
  readSession,
  type SessionView,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { everythingAbout, needsSession, tryOut } from "./every-operation.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const hourMs = 3_600_000;
const attributes = "Path=/; HttpOnly; SameSite=Lax";
const notImpersonating = errorResponse(
  400,
  "YOU_ARE_NOT_IMPERSONATING_ANYONE",
  "You are not impersonating anyone",
);
const noAdminSession = errorResponse(
  500,
  "FAILED_TO_FIND_ADMIN_SESSION",
  "Failed to find admin session",
);

type Given = { session: SessionView; user: UserView };

const claimsOf = (signed: string) =>
  JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString()) as { exp: number };

/** The behaviour of the application's session hook, reset after each test. */
let onSession: ((expiresAt: Date) => false | { data: { expiresAt: Date } }) | undefined;
afterEach(() => {
  onSession = undefined;
});
const config = {
  ...serviceConfig,
  emailVerification: { sendOnSignUp: false },
  anonymous: { enabled: true },
  emailOTP: { enabled: true },
  organization: { teams: { enabled: true }, dynamicAccessControl: { enabled: true } },
  webhooks: { organizations: { enabled: true } },
  oauthProvider: { enabled: true },
  deviceAuthorization: { enabled: true },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
  databaseHooks: {
    session: { create: { before: ({ expiresAt }) => onSession?.(expiresAt) } },
  },
  admin: {
    roles: {
      admin: { user: ["impersonate", "ban", "delete", "set-role"], session: ["revoke"] },
      user: {},
      support: { user: ["impersonate", "ban", "delete"] },
      manager: { user: ["set-role"] },
    },
  },
} satisfies LatchkeyConfig;

const impersonate = (by: Pick<TestUser, "browser">, { user }: Pick<TestUser, "user">) =>
  callAdmin<Given>(by, "/impersonate-user", { userId: user.id });
const stop = ({ browser }: Pick<TestUser, "browser">) =>
  callAdmin<Given>({ browser }, "/stop-impersonating", undefined);

describe.each(sessionStores("postgres"))("with sessions in $where", ({ where, stores }) => {
  const { system, rows } = useSystem({ stores, config: { ...config, session: { updateAge: 0 } } });
  beforeAll(async () => {
    await signUpAs(system, "admin"); // an admin remains when others are removed
  });
  const admin = () => signUpAs(system, "admin");
  const waysInOf = async ({ user }: TestUser) => ({
    user: await rows.query(
      "select email, email_verified, username, display_username from identity.user where id = $1",
      user.id,
    ),
    accounts: await rows.query("select * from identity.account where user_id = $1", user.id),
    keys: await rows.query("select * from apikey.api_key where user_id = $1", user.id),
  });
  /** Signs in an admin and starts an impersonation. */
  const impersonating = async (role = "user") => {
    const [staff, target] = [await admin(), await signUpAs(system, role)];
    const { body } = await impersonate(staff, target);
    return { staff, target, token: body.session.token, id: body.session.id };
  };

  describe("impersonate-user", () => {
    test("signs the admin in as the user, for an hour, in a new session", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { status, body } = await impersonate(staff, target);
      expect(status).toBe(200);
      expect(body.user).toEqual((await readSession(target.browser))?.user);
      expect(body.session).toMatchObject({
        userId: target.user.id,
        impersonatedBy: staff.user.id,
        ipAddress: "127.0.0.1",
      });
      const { expiresAt, createdAt, id } = body.session;
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(hourMs);
      expect(await readSession(staff.browser)).toEqual(body);
      expect((await readSession(target.browser))?.session.token).toBe(target.token);
      expect(await actorsOf(rows, "session.impersonated", id)).toEqual([byUser(staff)]);
    });

    test("keeps the admin's session cookie aside, and the new session until the browser closes", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const { body, cookies } = await impersonate(staff, target);
      const parked = signValue(ring, `${staff.token}:`);
      const last = new Map(cookies.map((line) => [line.split("=")[0], line]));
      expect(last.get("auth.admin_session")).toBe(
        `auth.admin_session=${parked}; Max-Age=604800; ${attributes}`,
      );
      expect(last.get("auth.session_token")).toBe(
        `auth.session_token=${signValue(ring, body.session.token)}; ${attributes}`,
      );
      expect(last.get("auth.dont_remember")).toBe(
        `auth.dont_remember=${signValue(ring, "true")}; ${attributes}`,
      );
      expect(await isSessionToken(system, staff.token)).toBe(true);
    });

    // Such changes would outlast the hour, or give access to the user's accounts elsewhere.
    test("cannot change sign-in methods, read provider tokens or delete the user", async () => {
      const { staff, target } = await impersonating();
      for (const [path, body] of [
        ["/link-social", { provider: "google" }],
        ["/get-access-token", { providerId: "google" }],
        ["/refresh-token", { providerId: "google" }],
        ["/unlink-account", { providerId: "credential" }],
        ["/change-email", { newEmail: "other@example.com" }],
        ["/change-password", { currentPassword: "a guess", newPassword: "another password" }],
        ["/delete-user", {}],
        ["/update-user", { name: "Mallory", username: "mallory" }],
        ["/update-user", { displayUsername: "Mallory" }],
      ] as const) {
        const answer = await readResponse(await staff.browser.post(path, body));
        expect([path, answer]).toEqual([path, errorResponse(403, "FORBIDDEN", "Forbidden")]);
        expect([path, (await target.browser.post(path, body)).status]).not.toEqual([path, 403]);
      }
    });

    test("rejects mailed links that delete the user or change the address", async () => {
      const { staff, target } = await impersonating();
      const { email } = target;
      const updateTo = `other-${email}`;
      const token = await signVerificationToken(
        ring,
        { email, updateTo },
        {
          now: new Date(),
          expiresInSeconds: 60,
        },
      );
      const deletion = "/delete-user/callback?token=any";
      const change = `/verify-email?token=${token}`;
      expect(await readResponse(await staff.browser.get(deletion))).toEqual(
        errorResponse(403, "FORBIDDEN", "Forbidden"),
      );
      expect((await staff.browser.get(change)).status).toBe(401);
      expect((await readSession(target.browser))?.user.email).toBe(email);
      expect((await target.browser.get(deletion)).status).toBe(404);
      expect((await target.browser.get(change)).status).toBe(200);
      expect((await readSession(target.browser))?.user.email).toBe(updateTo);
    });

    test("allows a change of name, which is not a sign-in method", async () => {
      const { staff, target } = await impersonating();
      expect((await staff.browser.post("/update-user", { name: "Countess" })).status).toBe(200);
      expect((await readSession(target.browser))?.user).toMatchObject({ name: "Countess" });
    });

    /** Attack: an admin takes the user's tokens from the list and keeps the session without a trace. */
    test("lists the user's sessions with handles, which end a session but cannot sign in", async () => {
      const { staff, target, token } = await impersonating();
      const other = await trySignIn(system, target.email);
      const answer = await staff.browser.get("/list-sessions");
      const listed = (await answer.json()) as SessionView[];
      const [ended, own] = [
        (await readSession(other.browser))?.session,
        (await readSession(target.browser))?.session,
      ];
      expect(listed.map(({ id }) => id)).toEqual([ended?.id, own?.id]);
      for (const { token: handle } of listed) {
        expect([target.token, other.body.token, token]).not.toContain(handle);
        expect(await isSessionToken(system, handle)).toBe(false);
      }
      const revoke = { token: listed[0]?.token };
      expect((await staff.browser.post("/revoke-session", revoke)).status).toBe(200);
      expect(await isSessionToken(system, other.body.token ?? "")).toBe(false);
      expect(await isSessionToken(system, target.token)).toBe(true);
    });

    test("rejects a handle of another user's session", async () => {
      const [one, other] = [await impersonating(), await impersonating()];
      const answer = await one.staff.browser.get("/list-sessions");
      const [{ token } = { token: "" }] = (await answer.json()) as SessionView[];
      expect((await other.staff.browser.post("/revoke-session", { token })).status).toBe(401);
      expect(await isSessionToken(system, one.target.token)).toBe(true);
    });

    /** Attack: a signed token outlasts the impersonation, and verifiers cannot see who acts. */
    test("signed tokens name the admin and end with the impersonation", async () => {
      const { staff, target } = await impersonating();
      const { session: current } = (await readSession(staff.browser)) ?? {};
      const response = await staff.browser.get("/token");
      const { token } = (await response.json()) as { token: string };
      const header = (await staff.browser.get("/get-session")).headers.get("set-auth-jwt") ?? "";
      const ends = Math.floor(Date.parse(current?.expiresAt ?? "") / 1000);
      for (const signed of [token, header]) {
        const claims = claimsOf(signed);
        expect(claims).toMatchObject({ sub: target.user.id, act: { sub: staff.user.id } });
        expect(claims.exp).toBeLessThanOrEqual(ends);
      }
      const own = await target.browser.get("/token");
      expect(claimsOf(((await own.json()) as { token: string }).token)).not.toHaveProperty("act");
    });

    /** Attack: an admin uses another admin's name for an operation that their own role does not allow. */
    test("rejects every operation that is closed to impersonations, whatever the user's role", async () => {
      const { staff, target } = await impersonating("support");
      const before = await waysInOf(target);
      const about = everythingAbout(await signUp(system));
      const own = { organizationId: "some", username: "mallory", userCode: "some" };
      const body = { ...about, data: {}, ...own };
      // Only one of `permission` and `permissions` may be sent elsewhere.
      const roleBody = { ...body, permission: {}, roleName: "some" };
      const bodies: Record<string, object> = {
        organizationRoles: roleBody,
        organizationRolesAdmin: { ...roleBody, roleId: "some" },
      };
      const closed = needsSession.filter(
        // Their option adds cookies, which the tests here do not expect. `multi-session.test.ts` proves the same for them.
        ({ refusesImpersonators, feature }) => refusesImpersonators && feature !== "multiSession",
      );
      expect(closed.length).toBeGreaterThan(50);
      for (const declared of closed) {
        const sent = {
          params: { id: "some", name: "mailer" },
          query: {
            id: "some",
            userId: "some",
            token: "some",
            invitationId: "some",
            organizationId: "some",
            webhookId: "some",
            deliveryId: "some",
            client_id: "some",
          },
          body: bodies[declared.feature ?? ""] ?? body,
        };
        const answer = await readResponse(await tryOut(staff, declared, sent));
        expect([declared.name, answer]).toEqual([
          declared.name,
          errorResponse(403, "FORBIDDEN", "Forbidden"),
        ]);
      }
      expect(await waysInOf(target)).toEqual(before);
    });

    // The limit does not depend on the marker cookie, because a client may omit it.
    test("is never extended, with the marker, without it or as a bearer token", async () => {
      const { staff, token } = await impersonating();
      const before = (await readSession(staff.browser))?.session;
      staff.browser.cookies.delete("auth.dont_remember");
      for (const path of ["/get-session", "/list-sessions"]) await staff.browser.get(path);
      const headers = { authorization: `Bearer ${token}` };
      const { session: after } = (await (
        await fetch(`${system.url}/get-session`, { headers })
      ).json()) as Given;
      expect(after).toEqual(before);
    });

    test("a hook may shorten it but not extend it", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      const lifetimes = [];
      for (const shift of [hourMs, -hourMs / 2]) {
        onSession = (expiresAt) => ({ data: { expiresAt: new Date(expiresAt.getTime() + shift) } });
        const browser = createBrowserLike(system.url);
        for (const [name, value] of staff.browser.cookies) browser.cookies.set(name, value);
        const { expiresAt, createdAt } = (await impersonate({ browser }, target)).body.session;
        lifetimes.push(Date.parse(expiresAt) - Date.parse(createdAt));
      }
      expect(lifetimes).toEqual([hourMs, hourMs / 2]);
    });

    test("rejects oneself, admins and unknown users", async () => {
      const [staff, other] = [await admin(), await admin()];
      expect(await impersonate(staff, staff)).toEqual(
        errorResponse(400, "YOU_CANNOT_IMPERSONATE_YOURSELF", "You cannot impersonate yourself"),
      );
      expect(await impersonate(staff, other)).toEqual(
        errorResponse(403, "YOU_CANNOT_IMPERSONATE_ADMINS", "You cannot impersonate admins"),
      );
      expect(await impersonate(staff, { user: { id: "unknown" } })).toEqual(
        errorResponse(404, "USER_NOT_FOUND", "User not found"),
      );
      expect((await readSession(staff.browser))?.session.token).toBe(staff.token);
    });

    /** Attack: support impersonates a user who may set roles, and so becomes an admin. */
    test("ends when its user gets a permission that the admin lacks", async () => {
      const [staff, target] = [await signUpAs(system, "support"), await signUp(system)];
      const { token } = (await impersonate(staff, target)).body.session;
      expect(await isSessionToken(system, token)).toBe(true);
      const input = { userId: target.user.id, role: "manager" };
      expect((await callAdmin(await admin(), "/set-role", input)).status).toBe(200);
      expect(await isSessionToken(system, token)).toBe(false);
      expect(await isSessionToken(system, target.token)).toBe(true);
    });

    test("rejects a banned user, and accepts one whose ban has expired", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      await callAdmin(staff, "/ban-user", { userId: target.user.id, banExpiresIn: 3600 });
      expect(await impersonate(staff, target)).toMatchObject({
        status: 403,
        body: { code: "BANNED_USER" },
        cookies: [],
      });
      const past = new Date(Date.now() - 1000);
      await rows.query(
        "update identity.user set ban_expires = $1 where id = $2",
        past,
        target.user.id,
      );
      const { status, body } = await impersonate(staff, target);
      expect([status, body.user.banned]).toEqual([200, false]);
    });

    test("reports a veto of the session hook and starts no impersonation", async () => {
      const [staff, target] = [await admin(), await signUp(system)];
      onSession = () => false;
      expect(await impersonate(staff, target)).toEqual(
        errorResponse(500, "FAILED_TO_CREATE_USER", "Failed to create user"),
      );
      expect((await readSession(staff.browser))?.session.token).toBe(staff.token);
    });

    // Both end the user's sessions in one way.
    test.each(representatives(["/ban-user", "/remove-user"], (path) => path === "/ban-user"))(
      "no impersonation that begins during %s survives",
      async (path) => {
        const [staff, other] = [await admin(), await admin()];
        const target = await signUp(system);
        const browsers = Array.from({ length: 16 }, () => {
          const browser = createBrowserLike(system.url);
          for (const [name, value] of staff.browser.cookies) browser.cookies.set(name, value);
          return browser;
        });
        const [answers] = await Promise.all([
          Promise.all(browsers.map((browser) => impersonate({ browser }, target))),
          callAdmin(other, path, { userId: target.user.id }),
        ]);
        const tokens = answers.flatMap(({ status, body }) =>
          status === 200 ? body.session.token : [],
        );
        const open = await Promise.all(tokens.map((token) => isSessionToken(system, token)));
        expect(open).toEqual(tokens.map(() => false));
      },
    );
  });

  describe("stop-impersonating", () => {
    test("restores the admin's session and ends the other one", async () => {
      const { staff, target, token, id } = await impersonating();
      const { status, body, cookies } = await stop(staff);
      expect([status, body.user.id, body.session.token]).toEqual([200, staff.user.id, staff.token]);
      const [name, lifetime, ...rest] = (cookies[0] ?? "").split("; ");
      expect(name).toBe(`auth.session_token=${signValue(ring, staff.token)}`);
      expect(lifetime).toMatch(/^Max-Age=6047\d\d$/);
      expect(rest.join("; ")).toBe(attributes);
      expect([...staff.browser.cookies.keys()]).toEqual(["auth.session_token"]);
      expect(await readSession(staff.browser)).toEqual(body);
      expect(await isSessionToken(system, token)).toBe(false);
      expect((await readSession(target.browser))?.session.token).toBe(target.token);
      expect(await actorsOf(rows, "session.impersonation-ended", id)).toEqual([byUser(staff)]);
      expect((await impersonate(staff, target)).status).toBe(200);
    });

    test("restores an admin's session that ends with the browser as such", async () => {
      const person = await admin();
      const staff = await trySignIn(system, person.email, { rememberMe: false });
      await impersonate(staff, await signUp(system));
      const { status, cookies } = await stop(staff);
      expect(status).toBe(200);
      expect(cookies[0]).toBe(
        `auth.session_token=${signValue(ring, staff.body.token ?? "")}; ${attributes}`,
      );
      expect([...staff.browser.cookies.keys()].toSorted()).toEqual([
        "auth.dont_remember",
        "auth.session_token",
      ]);
    });

    test("is rejected without an impersonation, whatever cookie is kept aside", async () => {
      const [staff, other] = [await admin(), await admin()];
      expect(await stop(staff)).toEqual(notImpersonating);
      staff.browser.cookies.set("auth.admin_session", signValue(ring, `${other.token}:`));
      expect(await stop(staff)).toEqual(notImpersonating);
    });

    test("ends it once for 16 concurrent calls, and reports to the others that it has ended", async () => {
      const { staff, id } = await impersonating();
      const cookie = [...staff.browser.cookies].map((pair) => pair.join("=")).join("; ");
      const answers = await race(async () => {
        const browser = createBrowserLike(system.url);
        const answer = await browser.post("/admin/stop-impersonating", undefined, { cookie });
        return `${answer.status} ${((await answer.json()) as { code?: string }).code ?? "done"}`;
      });
      expect(answers.filter((answer) => answer === "200 done")).toHaveLength(1);
      const allowed = ["200 done", "400 YOU_ARE_NOT_IMPERSONATING_ANYONE", "401 UNAUTHORIZED"];
      for (const answer of answers) expect(allowed).toContain(answer);
      expect(await actorsOf(rows, "session.impersonation-ended", id)).toHaveLength(1);
    });

    // Nobody can turn an impersonation into a session that was not theirs.
    const keptAside: [string, (own: string, others: string) => string | undefined][] = [
      ["nothing", () => undefined],
      ["an empty text", () => ""],
      ["a token without a signature", (own) => `${own}:`],
      ["a token that is signed for another use", (own) => signValue(ring, own)],
      ["a token that opens nothing", () => signValue(ring, `${"A".repeat(32)}:`)],
      ["another admin's session", (_, others) => signValue(ring, `${others}:`)],
    ];
    const attacks = new Set(["a token without a signature", "another admin's session"]);
    test.each(representatives(keptAside, ([what]) => attacks.has(what)))(
      "with %s kept aside nobody becomes an admin, and the impersonation continues",
      async (_, write) => {
        const { staff, target } = await impersonating();
        const parked = write(staff.token, (await admin()).token);
        if (parked === undefined) staff.browser.cookies.delete("auth.admin_session");
        else staff.browser.cookies.set("auth.admin_session", parked);
        expect(await stop(staff)).toEqual(noAdminSession);
        expect((await readSession(staff.browser))?.user.id).toBe(target.user.id);
      },
    );

    test("does not return to a session that is itself an impersonation", async () => {
      const { staff, target, token } = await impersonating();
      staff.browser.cookies.set("auth.admin_session", signValue(ring, `${token}:`));
      expect(await stop(staff)).toEqual(noAdminSession);
      expect((await readSession(staff.browser))?.user.id).toBe(target.user.id);
    });

    test("does not return to a session that was revoked", async () => {
      const { staff } = await impersonating();
      const { status } = await callAdmin(await admin(), "/revoke-user-sessions", {
        userId: staff.user.id,
      });
      expect(status).toBe(200);
      expect(await stop(staff)).toMatchObject({ status: 500, cookies: [] });
      expect(await isSessionToken(system, staff.token)).toBe(false);
    });

    /** Attack: an admin who is being dismissed continues as another user. */
    test.each([
      ["banned", "/ban-user", {}],
      ["demoted", "/set-role", { role: "user" }],
      ["removed", "/remove-user", {}],
    ])("an impersonation ends when its admin is %s", async (_what, path, own) => {
      const { staff, token } = await impersonating();
      expect(await isSessionToken(system, token)).toBe(true);
      const answer = await callAdmin(await admin(), path, { userId: staff.user.id, ...own });
      expect(answer.status).toBe(200);
      expect(await isSessionToken(system, token)).toBe(false);
      expect(await stop(staff)).toEqual(errorResponse(401, "UNAUTHORIZED", "Unauthorized"));
    });

    if (where === "postgres")
      test("an expired impersonation opens no session", async () => {
        const { staff, id } = await impersonating();
        await rows.query(
          "update identity.session set expires_at = now() - interval '1 second' where id = $1",
          id,
        );
        expect(await stop(staff)).toEqual(errorResponse(401, "UNAUTHORIZED", "Unauthorized"));
        expect(await isSessionToken(system, staff.token)).toBe(true);
      });
  });
});

describe("with own options", () => {
  const own = { allowImpersonatingAdmins: true, impersonationSessionDuration: 60 };
  const { system } = useSystem({ stores: "postgres", config: { ...serviceConfig, admin: own } });

  test("admins can be impersonated if that is enabled, and it lasts the configured time", async () => {
    const [staff, other] = [await signUpAs(system, "admin"), await signUpAs(system, "admin")];
    const { expiresAt, createdAt } = (await impersonate(staff, other)).body.session;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000);
    expect(await impersonate(staff, await signUp(system))).toEqual(
      errorResponse(403, "FORBIDDEN", "Forbidden"),
    );
    expect((await stop(staff)).body.user.id).toBe(staff.user.id);
  });
});
