import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../harness/api-keys.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  newEmail,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";

expectNoLeaks("file");

const all = {
  user: ["list", "get", "update", "set-role", "set-email", "set-password", "ban", "impersonate"],
};
const roles = {
  admin: all,
  helper: { user: ["update"] },
  reader: { user: ["get"] },
  user: {},
};

/** Ids of the users that the application was notified of. */
const notifiedIds: string[] = [];
const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    admin: { roles },
    apiKey: { enableSessionForAPIKeys: true },
    user: {
      additionalFields: {
        plan: { type: "string", input: false, defaultValue: "free" },
        seats: { type: "number", required: false },
      },
    },
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

type Updated = UserView & Record<string, unknown>;
const update = (by: TestUser, { user }: TestUser, data: object) =>
  callAdmin<Updated & { code: string }>(by, "/update-user", { userId: user.id, data });
const read = async (by: TestUser, id: string) =>
  readResponse<Updated>(await by.browser.get(`/admin/get-user?id=${encodeURIComponent(id)}`));
const actionsOn = async (id: string) =>
  (
    await rows.query(
      "select action, actor_id from identity.audit where subject_id = $1 and actor_id = $2 order by occurred_at, id",
      id,
      admin.user.id,
    )
  ).map(({ action }) => action);

describe("get-user", () => {
  test("returns one user as in list-users", async () => {
    const ada = await signUp(system);
    const { status, body } = await read(admin, ada.user.id);
    expect([status, body.email, body["plan"]]).toEqual([200, ada.email, "free"]);
    expect(body).not.toHaveProperty("password");
  });

  test("is rejected without the permission, and for an unknown user", async () => {
    const ada = await signUp(system);
    const [reader, helper] = [await signUpAs(system, "reader"), await signUpAs(system, "helper")];
    expect((await read(reader, ada.user.id)).status).toBe(200);
    expect(await read(helper, ada.user.id)).toEqual(
      errorResponse(403, "YOU_ARE_NOT_ALLOWED_TO_GET_USER", "You are not allowed to get user"),
    );
    expect((await read(ada, ada.user.id)).status).toBe(403);
    expect(await read(admin, "nobody")).toMatchObject({ body: { code: "USER_NOT_FOUND" } });
  });
});

describe("update-user", () => {
  test("changes profile fields, including additional fields that clients cannot set", async () => {
    const ada = await signUp(system);
    const data = { name: "Grace", image: "https://example.com/g.png", plan: "gold", seats: 3 };
    const { status, body } = await update(admin, ada, data);
    expect([status, body]).toEqual([200, (await read(admin, ada.user.id)).body]);
    expect(body).toMatchObject(data);
    const own = (await (await ada.browser.get("/get-session")).json()) as { user: object };
    expect(own.user).toMatchObject(data);
    expect(await actionsOn(ada.user.id)).toContain("user.updated");
    expect((await update(admin, ada, { image: null })).body.image).toBeNull();
  });

  test("sets a username as its owner could", async () => {
    const [ada, bea] = [await signUp(system), await signUp(system)];
    expect((await update(admin, ada, { username: "Ada_L" })).body).toMatchObject({
      username: "ada_l",
      displayUsername: "Ada_L",
    });
    expect((await update(admin, ada, { username: "ada_l" })).status).toBe(200);
    for (const [username, code] of [
      ["ADA_L", "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER"],
      ["a", "USERNAME_IS_TOO_SHORT"],
      ["a b c", "USERNAME_IS_INVALID"],
    ])
      expect(await update(admin, bea, { username })).toMatchObject({ status: 422, body: { code } });
  });

  test("sets an unverified address, ends the links of the old one, and can mark an address as verified", async () => {
    const ada = await signUp(system);
    await ada.browser.post("/request-password-reset", { email: ada.email });
    const link = (await system.smtp.waitForMail(ada.email)).links[0] ?? "";
    const email = newEmail();
    const moved = await update(admin, ada, { email: email.toUpperCase() });
    expect(moved.body).toMatchObject({ email, emailVerified: false });
    expect((await trySignIn(system, email)).status).toBe(200);
    const token = new URL(link).pathname.split("/").at(-1);
    const reset = await ada.browser.post("/reset-password", { token, newPassword: "x".repeat(12) });
    expect(reset.status).toBe(400);
    expect((await update(admin, ada, { emailVerified: true })).body.emailVerified).toBe(true);
    expect(notifiedIds).toEqual([ada.user.id]);
    expect(await actionsOn(ada.user.id)).toContain("user.email-replaced");
  });

  test.each([
    ["ada@example", "INVALID_EMAIL"],
    ["nobody@x.invalid", "INVALID_EMAIL"],
  ])("rejects the address %s", async (email, code) => {
    expect(await update(admin, await signUp(system), { email })).toMatchObject({
      status: 400,
      body: { code },
    });
  });

  test("gives an address to one of 16 users who request it concurrently", async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => signUp(system)));
    const email = newEmail();
    const answers = await Promise.all(people.map((person) => update(admin, person, { email })));
    const codes = answers.map(({ status, body }) => (status === 200 ? "done" : body.code));
    expect(codes.filter((code) => code === "done")).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(["done", "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]));
  });

  test("bans as ban-user does, and lifts the ban", async () => {
    const ada = await signUp(system);
    const { body } = await update(admin, ada, { banned: true });
    expect(body).toMatchObject({ banned: true, banReason: "No reason", banExpires: null });
    expect(await (await ada.browser.get("/get-session")).json()).toBeNull();
    expect((await trySignIn(system, ada.email)).body.code).toBe("BANNED_USER");
    const lifted = await update(admin, ada, { banned: false });
    expect(lifted.body).toMatchObject({ banned: false, banReason: null, banExpires: null });
    expect((await trySignIn(system, ada.email)).status).toBe(200);
    expect(await actionsOn(ada.user.id)).toEqual(
      expect.arrayContaining(["user.banned", "session.revoked-all", "user.unbanned"]),
    );
  });

  test("sets roles as set-role does", async () => {
    const ada = await signUp(system);
    expect((await update(admin, ada, { role: ["reader", " helper "] })).body.role).toBe(
      "reader,helper",
    );
    expect(await update(admin, ada, { role: "astronaut" })).toMatchObject({ status: 400 });
    expect(await actionsOn(ada.user.id)).toContain("user.role-changed");
  });

  test("lets no admin ban or demote themselves", async () => {
    expect((await update(admin, admin, { banned: true })).body.code).toBe(
      "YOU_CANNOT_BAN_YOURSELF",
    );
    expect((await update(admin, admin, { role: "user" })).body.code).toBe(
      "YOU_CANNOT_DEMOTE_YOURSELF",
    );
  });

  test.each([
    ["nothing", {}, "NO_DATA_TO_UPDATE"],
    ["what nobody may change", { id: "x", createdAt: 0, revision: 9 }, "NO_DATA_TO_UPDATE"],
    ["a password", { password: "another horse" }, "PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER"],
    ["a value of another type", { seats: "3" }, "VALIDATION_ERROR"],
    ["a name that is no text", { name: 1 }, "VALIDATION_ERROR"],
  ])("rejects %s", async (_case, data, code) => {
    const ada = await signUp(system);
    const before = await read(admin, ada.user.id);
    expect(await update(admin, ada, data)).toMatchObject({ status: 400, body: { code } });
    expect(await read(admin, ada.user.id)).toEqual(before);
  });

  test("rejects an invalid id", async () => {
    const nobody = { ...admin, user: { id: "nobody" } };
    expect((await update(admin, nobody, { name: "x" })).body.code).toBe("USER_NOT_FOUND");
  });

  /** Attack: a delegate who may change names uses this operation for changes that need another permission. */
  test.each([
    [{ role: "admin" }, "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"],
    [{ banned: true }, "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"],
    [{ banned: false }, "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"],
    [{ banReason: "x" }, "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"],
    [{ banExpires: null }, "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"],
    [{ email: "other@example.com" }, "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"],
    [{ emailVerified: true }, "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"],
    [{ name: "Grace", role: "user" }, "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"],
  ])("requires the permission for each of %j", async (data, code) => {
    const [helper, ada] = [await signUpAs(system, "helper"), await signUp(system)];
    const before = await read(admin, ada.user.id);
    expect(await update(helper, ada, data)).toMatchObject({ status: 403, body: { code } });
    expect(await read(admin, ada.user.id)).toEqual(before);
    expect((await update(helper, ada, { name: "Grace" })).status).toBe(200);
  });

  /** Attack: a delegate who may set roles gains permissions for themselves or an accomplice. */
  test("sets no role with more permissions than the caller has", async () => {
    const chief = await signUpAs(system, "admin");
    await rows.query("update identity.user set role = 'helper' where id = $1", chief.user.id);
    const ada = await signUp(system);
    expect((await update(chief, ada, { role: "admin" })).status).toBe(403);
    expect((await update(chief, admin, { name: "Mine" })).status).toBe(403);
  });

  test("rejects API keys and admins who impersonate a user", async () => {
    const [ada, other] = [await signUp(system), await signUpAs(system, "admin")];
    const { key } = await createKey(admin);
    const byKey = await fetch(`${system.url}/admin/update-user`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ userId: ada.user.id, data: { name: "x" } }),
    });
    expect(byKey.status).toBe(403);
    await other.browser.post("/admin/impersonate-user", { userId: ada.user.id });
    expect((await update(other, ada, { name: "x" })).status).toBe(403);
    expect((await read(other, ada.user.id)).status).toBe(403);
  });
});
