import type { FullUser, LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { unsetMembers } from "../../services/identity/src/users/unset-members.fixture.ts";
import { actorsOf, byService, byUser } from "../harness/audit.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import {
  callAdmin,
  callAdminInternal,
  newEmail,
  password,
  readSession,
  type TestUser,
  trySignIn,
  type UserView,
} from "../harness/users.ts";

expectNoLeaks("file");

const exists = errorResponse(400, "USER_ALREADY_EXISTS", "User already exists");

/** The behaviour of the application's hooks, reset after each test. */
let onUser: ((user: FullUser) => false | { data: Partial<FullUser> } | void) | undefined;
let vetoesAccount = false;
afterEach(() => {
  onUser = undefined;
  vetoesAccount = false;
});
const config = {
  ...serviceConfig,
  user: {
    additionalFields: {
      plan: { type: ["free", "paid"], input: false, defaultValue: "free" },
      country: { type: "string", required: true },
      secret: { type: "string", required: false, returned: false },
      badge: { type: "number", required: false, unique: true },
    },
  },
  databaseHooks: {
    user: { create: { before: (user) => onUser?.(user) } },
    account: { create: { before: () => (vetoesAccount ? false : undefined) } },
  },
} satisfies LatchkeyConfig;

describe.each(["admins", "services"] as const)("create-user for %s", (whom) => {
  let admin: TestUser;
  const { system, rows } = useSystem({ stores: "postgres", config });
  beforeAll(async () => {
    const first = { email: newEmail(), password, name: "Ada", data: { country: "UK" } };
    const { body } = await callAdminInternal<{ user: { id: string } }>(system, "/create-user", {
      ...first,
      role: "admin",
    });
    admin = { ...(await trySignIn(system, first.email)), token: "", ...first, ...body };
  });

  const create = async (own: Record<string, unknown> = {}) => {
    const body = { email: newEmail(), password, name: "Grace", data: { country: "UK" }, ...own };
    type Answer = { user: UserView & Record<string, unknown> };
    return whom === "admins"
      ? callAdmin<Answer>(admin, "/create-user", body)
      : callAdminInternal<Answer>(system, "/create-user", body);
  };
  const countOf = async (email: string) =>
    (await rows.query("select 1 from identity.user where email = $1", email)).length;

  test("returns the whole user with the default role, who can sign in", async () => {
    const { status, body, cookies } = await create({ email: "Grace@Example.com" });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([status, cookies]).toEqual([200, []]);
    expect(body.user).toStrictEqual({
      ...unsetMembers,
      id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      name: "Grace",
      email: "grace@example.com",
      emailVerified: false,
      createdAt: time,
      updatedAt: time,
      role: "user",
      plan: "free",
      country: "UK",
      badge: null,
    });
    const { browser } = await trySignIn(system, "grace@example.com");
    expect((await readSession(browser))?.user).toEqual(body.user);
  });

  test("without a password creates a user without a password account", async () => {
    const { status, body } = await create({ password: undefined });
    expect(status).toBe(200);
    const accounts = await rows.query(
      "select 1 from identity.account where user_id = $1",
      body.user.id,
    );
    expect(accounts).toEqual([]);
  });

  test("sends no mail, creates no session, and records the admin in the audit log", async () => {
    const { body } = await create();
    const ids = [body.user.id];
    const count = async (table: string) =>
      (await rows.query(`select 1 from identity.${table} where user_id = any($1)`, ids)).length;
    expect([await count("session"), await count("account")]).toEqual([0, 1]);
    expect(system.smtp.mails).toEqual([]);
    expect(await actorsOf(rows, "user.created", body.user.id)).toEqual([
      whom === "admins" ? byUser(admin) : byService,
    ]);
  });

  test.each([
    ["admin", "admin"],
    [["user", " admin ", "admin"], "user,admin"],
  ])("assigns the role %j", async (role, kept) => {
    expect((await create({ role })).body.user.role).toBe(kept);
  });

  test.each([[""], [[]], ["nobody"], [["admin", ""]]])("rejects the role %j", async (role) => {
    const email = newEmail();
    expect(await create({ email, role })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", issues: [{ path: "role" }] },
    });
    expect(await countOf(email)).toBe(0);
  });

  test.each([
    ["email", "a@b", 400, "INVALID_EMAIL", "Invalid email"],
    ["email", "", 400, "INVALID_EMAIL", "Invalid email"],
    ["email", "ada @example.com", 400, "INVALID_EMAIL", "Invalid email"],
    ["email", "a\0@example.com", 400, "INVALID_EMAIL", "Invalid email"],
    ["email", "1@twitter.invalid", 400, "INVALID_EMAIL", "Invalid email"],
    ["password", "", 400, "PASSWORD_TOO_SHORT", "Password too short"],
    ["password", "1234567", 400, "PASSWORD_TOO_SHORT", "Password too short"],
    ["password", "x".repeat(129), 400, "PASSWORD_TOO_LONG", "Password too long"],
  ])("rejects %s %j", async (name, value, status, code, message) => {
    expect(await create({ [name]: value })).toEqual(errorResponse(status, code, message));
  });

  test.each([
    { email: null },
    { password: null },
    { name: null },
    { name: "a\0b" },
    { name: "a\ud800b" },
    { role: 1 },
    { data: null },
    { data: [] },
    { data: { emailVerified: "yes" } },
    { data: { image: 1 } },
    { data: { username: null } },
    { data: { role: "nobody" } },
    { data: { banned: "yes" } },
    { data: { banExpires: "tomorrow" } },
  ])("rejects %j", async (own) => {
    expect(await create(own)).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
  });

  test("data sets additional fields, including those that clients cannot set", async () => {
    const data = { country: "UK", plan: "paid", secret: "s", badge: 7 };
    const { body } = await create({ data });
    expect(body.user).toMatchObject({ country: "UK", plan: "paid", badge: 7 });
    expect(body.user).not.toHaveProperty("secret");
    const [row] = await rows.query("select extra from identity.user where id = $1", body.user.id);
    expect(row?.["extra"]).toMatchObject({ secret: "s" });
  });

  test("data sets the image, the username and whether the address is verified", async () => {
    const image = "https://example.com/i.png";
    const data = { country: "UK", image, emailVerified: true, username: "Grace.H" };
    expect((await create({ data })).body.user).toMatchObject({
      image,
      emailVerified: true,
      username: "grace.h",
      displayUsername: "Grace.H",
    });
  });

  test.each([
    [{ country: null }, "COUNTRY_IS_REQUIRED", "country is required"],
    [{}, "COUNTRY_IS_REQUIRED", "country is required"],
  ])("rejects data %j without a required field", async (data, code, message) => {
    expect(await create({ data })).toEqual(errorResponse(400, code, message));
  });

  test.each([
    ["ab", "USERNAME_IS_TOO_SHORT", "username is too short"],
    ["x".repeat(31), "USERNAME_IS_TOO_LONG", "username is too long"],
    ["a b c", "USERNAME_IS_INVALID", "username is invalid"],
  ])("rejects the username %j", async (username, code, message) => {
    const data = { country: "UK", username };
    expect(await create({ data })).toEqual(errorResponse(422, code, message));
  });

  test("rejects a field of the wrong type and names it", async () => {
    expect(await create({ data: { country: 1 } })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", issues: [{ path: "country" }] },
    });
  });

  test("data overrides the fields beside it", async () => {
    const data = { country: "UK", name: "Grace Hopper", role: ["admin", "user"] };
    expect((await create({ name: "Grace", role: "user", data })).body.user).toMatchObject({
      name: "Grace Hopper",
      role: "admin,user",
    });
  });

  test("data can ban the user, temporarily or permanently", async () => {
    const [email, banExpires] = [newEmail(), "2100-01-01T00:00:00.000Z"];
    const banned = { country: "UK", banned: true, banReason: "not yet", banExpires };
    const { user } = (await create({ email, data: banned })).body;
    expect(user).toMatchObject({ banned: true, banReason: "not yet", banExpires });
    expect((await trySignIn(system, email)).status).toBe(403);
    const forGood = { ...banned, banExpires: null };
    expect((await create({ data: forGood })).body.user).toMatchObject({ banExpires: null });
  });

  test("ignores ids, addresses and times in data", async () => {
    const data = {
      country: "UK",
      id: "chosen",
      email: "other@example.com",
      createdAt: "2001-01-01T00:00:00.000Z",
      revision: 99,
    };
    const email = newEmail();
    const { user } = (await create({ email, data })).body;
    expect(user.email).toBe(email);
    expect(user.id).not.toBe("chosen");
    expect(user["createdAt"]).not.toMatch(/^2001/);
  });

  test("rejects an address that exists, in any case", async () => {
    const email = newEmail();
    expect((await create({ email })).status).toBe(200);
    expect(await create({ email })).toEqual(exists);
    expect(await create({ email: email.toUpperCase() })).toEqual(exists);
  });

  test("16 concurrent calls create one user with one password, and the others are rejected", async () => {
    const email = newEmail();
    const answers = await race(() => create({ email }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toEqual(exists);
    expect((await trySignIn(system, email)).status).toBe(200);
    expect(await countOf(email)).toBe(1);
  });

  test("16 concurrent calls with one username create one user", async () => {
    const data = { country: "UK", username: "the_one" };
    const answers = await race(() => create({ data }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer.body).toEqual({
        code: "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
        message: "username is already taken. please try another.",
      });
  });

  test.each(["user", "account"])("a veto of the %s hook creates no user", async (what) => {
    if (what === "user") onUser = () => false;
    else vetoesAccount = true;
    const email = newEmail();
    expect(await create({ email })).toEqual(
      errorResponse(500, "FAILED_TO_CREATE_USER", "Failed to create user"),
    );
    expect(await countOf(email)).toBe(0);
  });

  test("a service may set the id with force, an admin never", async () => {
    const id = `chosen-${whom}`;
    expect((await create({ id })).body.user.id).not.toBe(id);
    const { user } = (await create({ id, forceAllowId: true })).body;
    expect(user.id === id).toBe(whom === "services");
    if (whom === "admins") return;
    expect(await create({ id, forceAllowId: true })).toEqual(
      errorResponse(422, "FAILED_TO_CREATE_USER", "Failed to create user"),
    );
  });
});
