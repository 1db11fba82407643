import type { OperationReply, operations, Wire } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { byUser } from "../harness/audit.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { followLink } from "../harness/mailed-links.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { startSystem } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, newEmail, password, signUp, signUpAs, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

type SignInState = Wire<OperationReply<typeof operations.identity.adminReadSignInState>>;
interface Invited {
  user: { id: string; email: string; emailVerified: boolean; role: string; plan: string | null };
}

const newPassword = "another horse battery";

const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    trustedOrigins: ["https://app.example.com"],
    admin: {
      roles: {
        admin: {
          user: ["create", "list", "update", "set-role", "set-email"],
          apiKey: ["create"],
        },
        inviter: { user: ["create"] },
        editor: { user: ["list", "update"] },
        user: {},
      },
    },
    rateLimit: { linkMails: { max: 40 } },
    user: { additionalFields: { plan: { type: "string", required: false } } },
  },
});

const invite = (email: string, own: object = {}, by = admin) =>
  callAdmin<Invited>(by, "/invite-user", { email, name: "Grace", ...own });

const resend = (id: string, by = admin) => callAdmin(by, `/users/${id}/resend-invitation`, {});

/** Invites a new user and returns their id with the links that they have received. */
const inviteNew = async (own: object = {}) => {
  const email = newEmail();
  const { status, body } = await invite(email, own);
  expect(status).toBe(200);
  return { email, id: body.user.id, user: body.user };
};

const linksTo = (email: string) =>
  system.smtp.mails
    .filter(({ to }) => to.includes(email))
    .flatMap(({ links }) => links.filter((link) => link.includes("/reset-password/")));
const untilLinks = async (email: string, count: number): Promise<string[]> => {
  await system.smtp.waitForMail(() => linksTo(email).length >= count);
  return linksTo(email);
};

const tokenOf = (link: string) => new URL(link).pathname.split("/").at(-1) ?? "";
const choose = async (link: string) =>
  readResponse<{ code?: string }>(
    await createBrowserLike(system.url).post("/reset-password", {
      token: tokenOf(link),
      newPassword,
    }),
  );

const stateOf = async (id: string) =>
  (await readResponse<SignInState>(await admin.browser.get(`/admin/users/${id}/sign-in-state`)))
    .body;

const actionsOf = async (id: string) => {
  const entries = await rows.query(
    "select action from identity.audit where subject_id = $1 order by id",
    id,
  );
  return entries.map(({ action }) => action);
};

const isVerified = async (id: string) => {
  const [row] = await rows.query("select email_verified from identity.user where id = $1", id);
  return row?.["email_verified"];
};

describe("an invited user", () => {
  test("chooses a password by the mailed link, which verifies the address and works once", async () => {
    const { email, id, user } = await inviteNew({
      role: "editor",
      data: { plan: "big" },
      redirectTo: "https://app.example.com/welcome",
    });
    expect(user).toMatchObject({ emailVerified: false, role: "editor", plan: "big" });
    const [link = ""] = await untilLinks(email, 1);
    const mail = system.smtp.mails.find(({ to }) => to.includes(email));
    expect(mail?.subject).toContain("You are invited to");
    const opened = await followLink(link);
    expect(opened.headers["location"]).toMatch(
      /^https:\/\/app\.example\.com\/welcome\?token=[\w-]{24}$/,
    );
    expect(await isVerified(id)).toBe(false);
    expect(await choose(link)).toMatchObject({ status: 200, body: { status: true } });
    expect(await isVerified(id)).toBe(true);
    expect((await trySignIn(system, email, { password: newPassword })).status).toBe(200);
    expect(await choose(link)).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
    const actions = await actionsOf(id);
    expect(actions).toEqual(
      expect.arrayContaining([
        "user.created",
        "user-invitation.requested",
        "user.email-verified",
        "user-invitation.accepted",
      ]),
    );
    const actors = await rows.query(
      "select actor_kind, actor_id from identity.audit where subject_id = $1 and action = 'user-invitation.requested'",
      id,
    );
    expect(actors).toEqual([byUser(admin)]);
  });

  test("cannot sign in before, and admins see the invitation as the reason", async () => {
    const { email, id } = await inviteNew();
    const time = expect.any(String) as string;
    expect(await stateOf(id)).toMatchObject({
      canSignIn: false,
      problems: [{ kind: "invited", blocks: true, since: time, until: time }],
    });
    for (const guess of ["", password])
      expect((await trySignIn(system, email, { password: guess })).status).toBe(401);
    const [link = ""] = await untilLinks(email, 1);
    await choose(link);
    expect((await stateOf(id)).canSignIn).toBe(true);
  });

  /** An account at a provider, by which a stranger may have signed in. */
  const addAccount = (id: string) =>
    rows.query(
      "insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at) values ($1, $1, 'github', $1, now(), now())",
      id,
    );

  test.each([
    ["keeps the keys that an admin prepared", 1, async () => {}],
    ["loses the keys if a stranger could sign in before", 0, addAccount],
  ])("%s", async (_, keyCount, prepare) => {
    const { email, id } = await inviteNew();
    const key = await callAdmin<{ id: string }>(admin, "/api-keys", { userId: id, name: "CI" });
    expect(key.status).toBe(200);
    await prepare(id);
    const [link = ""] = await untilLinks(email, 1);
    expect((await choose(link)).status).toBe(200);
    const keys = await rows.query("select id from apikey.api_key where user_id = $1", id);
    expect(keys).toHaveLength(keyCount);
  });

  /** Attack: a mail scanner opens every link of the mail. */
  test("can still use the link after a mail scanner has opened it", async () => {
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    for (const method of ["GET", "HEAD", "GET"]) await followLink(link, { method });
    expect(await isVerified(id)).toBe(false);
    expect((await choose(link)).status).toBe(200);
  });

  test("sets one password by 16 concurrent uses of the link", async () => {
    const { email } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    const answers = await race(() => choose(link));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "INVALID_TOKEN")).toHaveLength(15);
  });

  test("either chooses a password or gets a new link when both happen at once", async () => {
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    const [chosen, again] = await Promise.all([choose(link), resend(id)]);
    expect([chosen.status, again.status].toSorted()).toEqual([200, 400]);
    const { canSignIn } = await stateOf(id);
    expect(canSignIn).toBe(chosen.status === 200);
  });

  test("loses the link with a change of the address", async () => {
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    const changed = await callAdmin(admin, "/update-user", {
      userId: id,
      data: { email: newEmail() },
    });
    expect(changed.status).toBe(200);
    expect(await choose(link)).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
    expect((await stateOf(id)).problems).toMatchObject([{ kind: "invited", until: null }]);
  });

  test("loses the link once it expires", async () => {
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    await rows.query(
      "update identity.verification set expires_at = now() - interval '1 s' where value = $1",
      id,
    );
    expect((await choose(link)).status).toBe(400);
    expect((await stateOf(id)).problems).toMatchObject([{ kind: "invited", until: null }]);
  });
});

describe("an invitation", () => {
  test("is stored as a hash and expires after three days by default", async () => {
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    const [stored] = await rows.query(
      "select identifier, extract(epoch from expires_at - created_at)::int as seconds from identity.verification where value = $1",
      id,
    );
    expect(stored?.["identifier"]).not.toContain(tokenOf(link));
    expect(stored?.["seconds"]).toBe(259_200);
  });

  test("that is sent again replaces the link before it", async () => {
    const { email, id } = await inviteNew();
    const [first = ""] = await untilLinks(email, 1);
    expect(await resend(id)).toMatchObject({ status: 200, body: { status: true } });
    const second = (await untilLinks(email, 2)).find((link) => link !== first) ?? "";
    expect((await choose(first)).status).toBe(400);
    expect((await choose(second)).status).toBe(200);
  });

  test("has one valid link after 16 concurrent resends", async () => {
    const { id } = await inviteNew();
    await race(() => resend(id));
    const [counted] = await rows.query(
      "select count(*)::int as count from identity.verification where value = $1",
      id,
    );
    expect(counted?.["count"]).toBe(1);
  });

  test("is not sent again to a user who has a password, nor to an unknown one", async () => {
    const notFound = errorResponse(400, "INVITATION_NOT_FOUND", "Invitation not found");
    const { user } = await signUp(system);
    expect(await resend(user.id)).toEqual(notFound);
    const { email, id } = await inviteNew();
    const [link = ""] = await untilLinks(email, 1);
    await choose(link);
    expect(await resend(id)).toEqual(notFound);
    expect(await resend("nobody")).toEqual(errorResponse(404, "USER_NOT_FOUND", "User not found"));
  });

  test("is refused for a taken address, whatever its case, and mails nobody", async () => {
    const { email } = await signUp(system);
    const before = system.smtp.mails.length;
    const userExists = { status: 400, body: { code: "USER_ALREADY_EXISTS" } };
    expect(await invite(email)).toMatchObject(userExists);
    expect(await invite(email.toUpperCase())).toMatchObject(userExists);
    expect(system.smtp.mails.slice(before).flatMap(({ to }) => to)).not.toContain(email);
  });

  test("creates one user for 16 concurrent requests with an address", async () => {
    const email = newEmail();
    const answers = await race(() => invite(email));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(15);
    expect(await untilLinks(email, 1)).toHaveLength(1);
  });

  test.each([
    ["an invalid address", { email: "ada" }, 400],
    ["an address that receives no mail", { email: "ada@kick.invalid" }, 400],
    ["an untrusted page", { redirectTo: "https://evil.example" }, 403],
    ["a missing name", { name: undefined }, 400],
  ])("is refused for %s", async (_, own, status) => {
    expect((await invite(newEmail(), own)).status).toBe(status);
  });

  /** Attack: an admin who may only create users invites an accomplice with more permissions, or with a verified address. */
  test("gives no role and no verified address without the permission", async () => {
    const inviter = await signUpAs(system, "inviter");
    for (const role of ["admin", "editor", ["user", "admin"]])
      expect(await invite(newEmail(), { role }, inviter)).toMatchObject({
        status: 403,
        body: { code: "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE" },
      });
    const data = { emailVerified: true, role: "admin", banned: true };
    const { body } = await invite(newEmail(), { data }, inviter);
    expect(body.user).toMatchObject({ emailVerified: false, role: "user" });
  });

  test("is not sent while reset links are off", async () => {
    const off = await startSystem({
      stores: "postgres",
      config: { ...serviceConfig, emailAndPassword: { resetPassword: { enabled: false } } },
    });
    try {
      const operator = await signUpAs(off, "admin");
      const refused = { status: 400, body: { code: "RESET_PASSWORD_ISNT_ENABLED" } };
      expect(await invite(newEmail(), {}, operator)).toMatchObject(refused);
      expect(await resend(operator.user.id, operator)).toMatchObject(refused);
    } finally {
      await off.stop();
    }
  });

  test("needs the permission to create users", async () => {
    const editor = await signUpAs(system, "editor");
    const { id } = await inviteNew();
    const refused = { status: 403, body: { code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS" } };
    expect(await invite(newEmail(), {}, editor)).toMatchObject(refused);
    expect(await resend(id, editor)).toMatchObject(refused);
  });
});
