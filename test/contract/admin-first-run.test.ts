import { openFirstRun } from "@latchkey/identity/commands";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { actorsOf } from "../harness/audit.ts";
import { cheapPasswords } from "../harness/cheap-passwords.ts";
import { sessionStores } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { configureSystem } from "../harness/configure-system.ts";
import { startSystem } from "../harness/start-system.ts";
import { openStores } from "../harness/stores.ts";
import {
  callAdmin,
  callAdminInternal,
  newEmail,
  password,
  readSession,
  signUp,
  signUpAs,
  trySignIn,
  type UserView,
} from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createBrowserLike } from "../harness/browser-like.ts";

expectNoLeaks("file");

const refused = errorResponse(403, "INVALID_TOKEN", "invalid token");

interface Completed {
  token: string;
  user: UserView;
}

describe.each(sessionStores("postgres"))("with sessions in $where", ({ stores }) => {
  const user = {
    additionalFields: {
      team: { type: "string", required: false },
      level: { type: "number", required: false, defaultValue: 1 },
    },
  } as const;
  const { system, rows } = useSystem({ stores, config: { ...serviceConfig, user } });
  // Removes all admins of earlier tests.
  beforeEach(() => rows.query("update identity.user set role = 'user'"));

  const open = async () => {
    const token = await openFirstRun(system.settings);
    if (token === undefined) throw new Error("there is an admin");
    return token;
  };
  const isOpen = async (token: string) => {
    const answer = await createBrowserLike(system.url).post("/admin/first-run/check", { token });
    return (await readResponse<{ isOpen: boolean }>(answer)).body.isOpen;
  };
  const complete = async (token: string, own: object = {}) => {
    const browser = createBrowserLike(system.url);
    const body = { token, name: "Root", email: newEmail(), password, ...own };
    return {
      browser,
      ...(await readResponse<Completed>(await browser.post("/admin/first-run", body))),
    };
  };
  const admins = () => rows.query("select id from identity.user where role = 'admin'");

  test("the token creates an admin with a verified address and signs in", async () => {
    const token = await open();
    expect(await isOpen(token)).toBe(true);
    const { browser, status, body } = await complete(token, {
      team: "ops",
      role: "user",
      level: 2,
    });
    expect([status, body.user.emailVerified]).toEqual([200, true]);
    const current = await readSession(browser);
    expect(current?.session.token).toBe(body.token);
    expect(current?.user).toMatchObject({ id: body.user.id, role: "admin", team: "ops", level: 2 });
    expect((await readResponse(await browser.get("/admin/list-users"))).status).toBe(200);
    expect((await trySignIn(system, body.user.email)).status).toBe(200);
    const byThemself = { actor_kind: "user", actor_id: body.user.id };
    expect(await actorsOf(rows, "user.created", body.user.id)).toEqual([byThemself]);
  });

  test("the token works once", async () => {
    const token = await open();
    expect((await complete(token)).status).toBe(200);
    expect(await isOpen(token)).toBe(false);
    await rows.query("update identity.user set role = 'user'");
    expect(await isOpen(token)).toBe(false);
    expect(await complete(token)).toMatchObject(refused);
    expect(await admins()).toEqual([]);
  });

  test("16 concurrent uses of one token create one admin", async () => {
    const token = await open();
    const answers = await race(() => complete(token));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const answer of answers) if (answer !== won[0]) expect(answer).toMatchObject(refused);
    expect(await admins()).toEqual([{ id: won[0]?.body.user.id }]);
  });

  test("a new token replaces the previous one, even if both are created at the same moment", async () => {
    const before = await open();
    const tokens = await race(open);
    expect(await complete(before)).toMatchObject(refused);
    const openNow = await Promise.all(tokens.map(isOpen));
    expect(openNow.filter((isOne) => isOne)).toHaveLength(1);
    expect((await complete(tokens[openNow.indexOf(true)] ?? "")).status).toBe(200);
  });

  /** Attack: a link is found long after it was printed. */
  test("a token expires after an hour", async () => {
    const token = await open();
    await rows.query(
      "update identity.verification set expires_at = expires_at - interval '1 hour' where value = 'first-run'",
    );
    expect(await isOpen(token)).toBe(false);
    expect(await complete(token)).toMatchObject(refused);
  });

  /** Attack: a dump of the database is searched for a token. */
  test("the token is stored hashed, whatever the option for other tokens", async () => {
    const token = await open();
    const [row] = await rows.query("select * from identity.verification where value = 'first-run'");
    expect(row).toBeDefined();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  /** Attack: a person who saw the link uses it after an admin exists. */
  test.each(["admin", "user,admin"])(
    "a token creates no admin while a user has the role %s, even a banned one",
    async (role) => {
      const token = await open();
      const { user } = await signUp(system);
      await rows.query(
        "update identity.user set role = $1, banned = true where id = $2",
        role,
        user.id,
      );
      expect(await isOpen(token)).toBe(false);
      expect(await complete(token)).toMatchObject(refused);
      expect(await openFirstRun(system.settings)).toBeUndefined();
    },
  );

  test("a concurrent creation of another admin leaves one admin or two, never none", async () => {
    const token = await open();
    const { user } = await signUp(system);
    const [made] = await Promise.all([
      complete(token),
      callAdminInternal(system, "/set-role", { userId: user.id, role: "admin" }),
    ]);
    expect([200, 403]).toContain(made.status);
    expect(await admins()).toHaveLength(made.status === 200 ? 2 : 1);
  });

  const errors = [
    ["no address", { email: "root" }, 400, "INVALID_EMAIL"],
    ["a number for an address", { email: 5 }, 400, "INVALID_EMAIL"],
    ["an address below .invalid", { email: "root@github.invalid" }, 400, "INVALID_EMAIL"],
    ["a short password", { password: "short" }, 400, "PASSWORD_TOO_SHORT"],
    ["a long password", { password: "p".repeat(200) }, 400, "PASSWORD_TOO_LONG"],
    ["no name", { name: undefined }, 400, "VALIDATION_ERROR"],
    ["a field of another type", { team: 5 }, 400, "VALIDATION_ERROR"],
  ] as const;
  test.each(errors)("rejects %s, and the token stays valid", async (_what, own, status, code) => {
    const token = await open();
    expect(await complete(token, own)).toMatchObject({ status, body: { code } });
    expect((await complete(token)).status).toBe(200);
  });

  test("rejects an address that exists, and creates no admin", async () => {
    const token = await open();
    const { email } = await signUp(system);
    const userExists = errorResponse(422, "USER_ALREADY_EXISTS", "User already exists");
    expect(await complete(token, { email })).toMatchObject(userExists);
    expect(await admins()).toEqual([]);
    expect(await isOpen(token)).toBe(true);
  });

  test.each(["", "x", "a".repeat(32), "'; drop table identity.user; --", "%", "💥"])(
    "rejects the token %j",
    async (token) => {
      await open();
      expect(await isOpen(token)).toBe(false);
      expect(await complete(token)).toMatchObject(refused);
    },
  );

  test("ignores fields that the first admin cannot set", async () => {
    const token = await open();
    const sent = {
      role: "user",
      banned: true,
      emailVerified: false,
      id: "chosen",
      username: "root",
    };
    const { body, browser } = await complete(token, sent);
    expect((await readSession(browser))?.user).toMatchObject({
      id: body.user.id,
      role: "admin",
      banned: false,
      emailVerified: true,
      username: null,
    });
    expect(body.user.id).not.toBe("chosen");
  });

  test("the first admin also counts as the last one", async () => {
    const { browser, body } = await complete(await open());
    const staff = await signUpAs(system, "user");
    expect(await callAdmin({ browser }, "/remove-user", { userId: staff.user.id })).toMatchObject({
      status: 200,
    });
    expect(
      await callAdminInternal(system, "/set-role", { userId: body.user.id, role: "user" }),
    ).toEqual(
      errorResponse(400, "YOU_CANNOT_REMOVE_THE_LAST_ADMIN", "You cannot remove the last admin"),
    );
  });
});

describe("without admins by option", () => {
  const openWith = async (config: object) => {
    const stores = await openStores("postgres");
    try {
      const options = { stores, config: { ...serviceConfig, ...config } };
      return await openFirstRun((await configureSystem(stores, options)).settings);
    } finally {
      await stores.close();
    }
  };

  test.each([
    ["admin operations are off", { admin: { enabled: false } }],
    ["no role makes an admin", { admin: { adminRoles: [] } }],
    ["the admin role is none", { admin: { adminRoles: ["root"] } }],
    ["nobody signs in by password", { emailAndPassword: { enabled: false } }],
  ])("is unavailable if %s", async (_why, config) => {
    expect(await openWith(config)).toBeUndefined();
  });

  test("a user in adminUserIds is an admin", async () => {
    const config = { ...serviceConfig, admin: { adminUserIds: ["the-one"] } };
    const system = await startSystem({ stores: "postgres", config });
    try {
      expect(await openFirstRun(system.settings)).toBeDefined();
      const one = { email: newEmail(), name: "Root", password, id: "the-one", forceAllowId: true };
      expect((await callAdminInternal(system, "/create-user", one)).status).toBe(200);
      expect(await openFirstRun(system.settings)).toBeUndefined();
    } finally {
      await system.stop();
    }
  });
});

test("rejects an address that is taken while the password is hashed, and the token stays valid", async () => {
  const email = newEmail();
  const slow = "a password that is hashed for long";
  let meanwhile = async () => {};
  const hash = async (text: string) => {
    if (text === slow) await meanwhile();
    return cheapPasswords.hash(text);
  };
  const config = { ...serviceConfig, emailAndPassword: { password: { ...cheapPasswords, hash } } };
  const system = await startSystem({ stores: "postgres", config });
  try {
    const token = await openFirstRun(system.settings);
    const complete = async (address: string) => {
      const body = { token, name: "Root", email: address, password: slow };
      return readResponse(await createBrowserLike(system.url).post("/admin/first-run", body));
    };
    meanwhile = async () => {
      await signUp(system, { email });
    };
    expect(await complete(email)).toEqual(
      errorResponse(422, "USER_ALREADY_EXISTS", "User already exists"),
    );
    meanwhile = async () => {};
    expect((await complete(newEmail())).status).toBe(200);
  } finally {
    await system.stop();
  }
});

test("tokens are rate limited", async () => {
  const config = { ...serviceConfig, rateLimit: { enabled: true } };
  const system = await startSystem({ stores: "postgres", config });
  try {
    const browser = createBrowserLike(system.url);
    const tryToken = () =>
      browser.post("/admin/first-run", { token: "a", name: "R", email: "r@x.io", password });
    const answers = [await tryToken(), await tryToken(), await tryToken(), await tryToken()];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
  } finally {
    await system.stop();
  }
});
