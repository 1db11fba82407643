import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { actorsOf, byUser } from "../harness/audit.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  callAdminInternal,
  newEmail,
  password,
  readSession,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";

expectNoLeaks("file");

const unknownUser = errorResponse(404, "USER_NOT_FOUND", "User not found");
const noAddress = errorResponse(400, "INVALID_EMAIL", "Invalid email");
const roles = {
  admin: {
    user: ["list", "update", "set-email", "impersonate", "delete"],
    session: ["list"],
  },
  user: {},
  helper: { user: ["list", "update", "set-email"] },
};

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  /** Ids of the users that the application was notified of. */
  const notifiedIds: string[] = [];
  const { system, rows, admin } = useSystem({
    stores,
    config: {
      ...serviceConfig,
      admin: { roles },
      trustedOrigins: ["https://app.example.com"],
      emailVerification: {
        onEmailVerification: async ({ id }: { id: string }) => {
          notifiedIds.push(id);
        },
      },
    },
  });
  beforeEach(() => {
    notifiedIds.length = 0;
  });

  const post = async <Body = unknown>(by: TestUser, path: string, body?: unknown) =>
    readResponse<Body>(await by.browser.post(`/admin/users/${path}`, body));
  const setEmail = (id: string, email: string) =>
    rows.query("update identity.user set email = $1 where id = $2", email, id);

  describe("one user", () => {
    interface Shown {
      user: UserView;
      accounts: { id: string; providerId: string; accountId: string; scopes: string[] }[];
      hasPassword: boolean;
      sessionCount: number;
    }
    const get = async (id: string) =>
      readResponse<Shown>(await admin.browser.get(`/admin/users/${encodeURIComponent(id)}`));
    const link = (userId: string, providerId: string) =>
      rows.query(
        `insert into identity.account (id, user_id, provider_id, account_id, access_token, scope, created_at, updated_at)
         values ($1, $2, $3, $1, 'an access token', 'email,profile', now(), now())`,
        `at ${providerId} ${userId}`,
        userId,
        providerId,
      );

    test("has sign-in methods and the number of sessions, and no secrets", async () => {
      const person = await signUp(system);
      const { id } = person.user;
      await trySignIn(system, person.email);
      await callAdmin(admin, "/impersonate-user", { userId: id });
      await callAdmin(admin, "/stop-impersonating", undefined);
      await link(id, "github");
      const { status, body } = await get(id);
      expect([status, body.user.email, body.hasPassword]).toEqual([200, person.email, true]);
      expect(body.sessionCount).toBe(2);
      expect(body.accounts).toEqual([
        {
          id: expect.any(String),
          providerId: "credential",
          accountId: id,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          scopes: [],
        },
        expect.objectContaining({
          id: `at github ${id}`,
          providerId: "github",
          accountId: `at github ${id}`,
          scopes: ["email", "profile"],
        }),
      ]);
      for (const secret of [password, person.token, "an access token"])
        expect(JSON.stringify(body)).not.toContain(secret);
    });

    test("has no password after a provider sign-up", async () => {
      const { id } = (await signUp(system)).user;
      await link(id, "gitlab");
      await rows.query(
        "delete from identity.account where user_id = $1 and provider_id = 'credential'",
        id,
      );
      const { body } = await get(id);
      expect([body.hasPassword, body.accounts.map(({ providerId }) => providerId)]).toEqual([
        false,
        ["gitlab"],
      ]);
    });

    test.each(["nobody", "%", "a'; drop table identity.user; --", "é"])(
      "is not found for the id %j",
      async (id) => {
        expect(await get(id)).toEqual(unknownUser);
      },
    );

    test("does not count ended sessions", async () => {
      const { user, browser } = await signUp(system);
      await browser.post("/sign-out");
      expect((await get(user.id)).body.sessionCount).toBe(0);
    });
  });

  describe("an address", () => {
    const verify = (by: TestUser, id: string) => post<{ user: UserView }>(by, `${id}/verify-email`);

    test("is marked verified in every session at once, and the application is notified", async () => {
      const person = await signUp(system);
      const { id } = person.user;
      const { status, body } = await verify(admin, id);
      expect([status, body.user.id, body.user.emailVerified]).toEqual([200, id, true]);
      expect((await readSession(person.browser))?.user.emailVerified).toBe(true);
      expect(await actorsOf(rows, "user.email-verified", id)).toEqual([byUser(admin)]);
      expect(notifiedIds).toEqual([id]);
    });

    test("stays verified if marked again, and nobody is notified", async () => {
      const { id } = (await signUp(system)).user;
      await verify(admin, id);
      expect(await verify(admin, id)).toMatchObject({
        status: 200,
        body: { user: { emailVerified: true } },
      });
      expect(notifiedIds).toEqual([id]);
      expect(await actorsOf(rows, "user.email-verified", id)).toHaveLength(1);
    });

    test("is marked once for 16 concurrent calls", async () => {
      const { id } = (await signUp(system)).user;
      const answers = await race(() => verify(admin, id));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await actorsOf(rows, "user.email-verified", id)).toHaveLength(1);
    });

    test("of an unknown user, or one that cannot receive mail, is not marked", async () => {
      expect(await verify(admin, "nobody")).toEqual(unknownUser);
      const { id } = (await signUp(system)).user;
      await setEmail(id, `${id.toLowerCase()}@kick.invalid`);
      expect(await verify(admin, id)).toEqual(noAddress);
      expect(notifiedIds).toEqual([]);
    });

    /** Attack: a delegate marks an admin's unverified address as verified, and its holder signs in by a provider. */
    test("of an admin can be marked by admins only", async () => {
      const [helper, other] = await Promise.all([
        signUpAs(system, "helper"),
        signUpAs(system, "admin"),
      ]);
      const refused = errorResponse(
        403,
        "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
        "You are not allowed to update users email",
      );
      expect(await verify(helper, other.user.id)).toEqual(refused);
      expect((await readSession(other.browser))?.user.emailVerified).toBe(false);
      expect((await verify(helper, helper.user.id)).status).toBe(200);
      expect((await verify(admin, other.user.id)).status).toBe(200);
    });

    test("is not marked if it changes at the same moment", async () => {
      const person = await signUp(system);
      const { id } = person.user;
      await Promise.all([verify(admin, id), setEmail(id, newEmail())]);
      const [row] = await rows.query(
        "select email, email_verified from identity.user where id = $1",
        id,
      );
      const [audited] = await rows.query(
        "select 1 from identity.audit where action = 'user.email-verified' and subject_id = $1",
        id,
      );
      expect(row?.["email_verified"]).toBe(audited !== undefined);
    });
  });

  describe("a reset link", () => {
    const send = (id: string, body?: unknown) => post(admin, `${id}/send-password-reset`, body);
    const mailed = async (email: string) => {
      const mail = await system.smtp.waitForMail(email);
      return new URL(mail.links.find((url) => url.includes("/reset-password/")) ?? "");
    };
    const follow = async (link: URL) => {
      const answer = await fetch(link, { redirect: "manual" });
      return new URL(answer.headers.get("location") ?? "");
    };

    test("is mailed to the user, and sets a new password once", async () => {
      const person = await signUp(system);
      const sent = await send(person.user.id, { redirectTo: "https://app.example.com/reset" });
      expect(sent).toEqual({ status: 200, body: { status: true }, cookies: [] });
      expect(await actorsOf(rows, "password-reset.requested", person.user.id)).toEqual([
        byUser(admin),
      ]);
      const there = await follow(await mailed(person.email));
      expect(there.href).toMatch(/^https:\/\/app\.example\.com\/reset\?token=/);
      const reset = {
        token: there.searchParams.get("token"),
        newPassword: "another horse battery",
      };
      const browser = createBrowserLike(system.url);
      expect((await browser.post("/reset-password", reset)).status).toBe(200);
      expect((await browser.post("/reset-password", reset)).status).toBe(400);
      expect((await trySignIn(system, person.email)).status).toBe(401);
      const own = { password: "another horse battery" };
      expect((await trySignIn(system, person.email, own)).status).toBe(200);
    });

    test("leads to the root of the origin by default", async () => {
      const [first, second] = [await signUp(system), await signUp(system)];
      expect((await send(first.user.id)).status).toBe(200);
      expect((await send(second.user.id, {})).status).toBe(200);
      for (const { email } of [first, second]) {
        const { origin, pathname, searchParams } = await follow(await mailed(email));
        expect([origin, pathname]).toEqual([system.origin, "/"]);
        expect(searchParams.get("token")).toHaveLength(24);
      }
    });

    /** Attack: our link carries the token to a foreign page. */
    test.each(["https://evil.example", "//evil.example", "javascript:alert(1)"])(
      "never leads to %s",
      async (redirectTo) => {
        const { id } = (await signUp(system)).user;
        const refused = errorResponse(403, "INVALID_REDIRECTURL", "Invalid redirectURL");
        expect(await send(id, { redirectTo })).toEqual(refused);
      },
    );

    test("is not mailed to an unknown user, nor to an address that cannot receive mail", async () => {
      expect(await send("nobody")).toEqual(unknownUser);
      const { id } = (await signUp(system)).user;
      const email = `${id.toLowerCase()}@kick.invalid`;
      await setEmail(id, email);
      expect(await send(id)).toEqual(noAddress);
      expect(await actorsOf(rows, "password-reset.requested", id)).toEqual([]);
      // A later mail arrives after any mail to the first user, if there were one.
      const other = await signUp(system);
      await send(other.user.id);
      await mailed(other.email);
      expect(system.smtp.mails.flatMap(({ to }) => to)).not.toContain(email);
    });

    test("is also mailed to a user without a password, and sets the first one", async () => {
      const person = await signUp(system);
      await rows.query("delete from identity.account where user_id = $1", person.user.id);
      await send(person.user.id);
      const there = await follow(await mailed(person.email));
      const reset = { token: there.searchParams.get("token"), newPassword: password };
      expect((await createBrowserLike(system.url).post("/reset-password", reset)).status).toBe(200);
      expect((await trySignIn(system, person.email)).status).toBe(200);
    });

    test("is rejected and leaves no token if the user is deleted at the same moment", async () => {
      const { id } = (await signUp(system)).user;
      const [answers] = await Promise.all([
        race(() => send(id)),
        callAdmin(admin, "/remove-user", { userId: id }),
      ]);
      for (const { status } of answers) expect([200, 404]).toContain(status);
      await until(
        async () =>
          (await rows.query("select 1 from identity.verification where value = $1", id)).length ===
          0,
      );
    });
  });
});

test("is not mailed if resets are off", async () => {
  const config = { ...serviceConfig, emailAndPassword: { resetPassword: { enabled: false } } };
  const system = await startSystem({ stores: "postgres", config });
  try {
    const admin = await signUpAs(system, "admin");
    const path = `/admin/users/${admin.user.id}/send-password-reset`;
    expect(await readResponse(await admin.browser.post(path))).toEqual(
      errorResponse(400, "RESET_PASSWORD_ISNT_ENABLED", "Reset password isn't enabled"),
    );
  } finally {
    await system.stop();
  }
});

test("a service that creates a user sees the same fields as admins", async () => {
  const system = await startSystem({ stores: "postgres", config: serviceConfig });
  try {
    const admin = await signUpAs(system, "admin");
    const one = { email: newEmail(), name: "<b>Bobby</b>", password };
    const made = await callAdminInternal<{ user: UserView }>(system, "/create-user", one);
    const answer = await admin.browser.get(`/admin/users/${made.body.user.id}`);
    expect((await readResponse<{ user: UserView }>(answer)).body.user).toEqual(made.body.user);
  } finally {
    await system.stop();
  }
});
