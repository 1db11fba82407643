import { type FullUser, type LatchkeyConfig, WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix, matrixTest, sessionStores } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { Rows } from "../harness/rows.ts";
import type { SystemOptions } from "../harness/configure-system.ts";
import type { System } from "../harness/start-system.ts";
import { useSystem } from "../harness/use-system.ts";
import { impersonateInRows, password, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const cookieAttributes = "Path=/; HttpOnly; SameSite=Lax";
const clearing = [
  `auth.session_token=; Max-Age=0; ${cookieAttributes}`,
  `auth.session_data=; Max-Age=0; ${cookieAttributes}`,
  `auth.dont_remember=; Max-Age=0; ${cookieAttributes}`,
];
const daySeconds = 86_400;
const callers = 16;
const deleted = {
  status: 200,
  body: { success: true, message: "User deleted" },
  cookies: clearing,
};
const mailed = {
  status: 200,
  body: { success: true, message: "Verification email sent" },
  cookies: [],
};
const nothingAnyMore = { status: 200, body: null, cookies: clearing };
const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const notFound = errorResponse(404, "NOT_FOUND", "Not Found");
const invalidToken = errorResponse(404, "INVALID_TOKEN", "invalid token");
const noUserInfo = errorResponse(404, "FAILED_TO_GET_USER_INFO", "Failed to get user info");
const wrongPassword = errorResponse(400, "INVALID_PASSWORD", "Invalid password");
const tooOld = errorResponse(
  400,
  "SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION",
  "Session expired. Re-authenticate to perform this action.",
);

/** The application's hooks around a deletion, reset after each test. */
interface Hooked {
  beforeDelete?: (user: FullUser) => unknown;
  afterDelete?: (user: FullUser) => unknown;
}
let hooked: Hooked = {};
/** How much older the sessions created now are made, in seconds. */
let bornBefore = 0;
afterEach(() => {
  hooked = {};
  bornBefore = 0;
});

const configWith = (
  deleteUser: NonNullable<LatchkeyConfig["user"]>["deleteUser"],
  session: LatchkeyConfig["session"] = {},
): LatchkeyConfig => ({
  logger: { disabled: true },
  databaseHooks: {
    session: {
      create: {
        before: ({ createdAt }) => ({
          data: { createdAt: new Date(createdAt.getTime() - bornBefore * 1000) },
        }),
      },
    },
  },
  session,
  user: {
    additionalFields: { note: { type: "string", required: false, returned: false } },
    deleteUser: {
      beforeDelete: (user) => hooked.beforeDelete?.(user),
      afterDelete: (user) => hooked.afterDelete?.(user),
      ...deleteUser,
    },
  },
});

/** Requests of the tests to a system. */
const asking = (system: () => System, rows: () => Rows) => {
  const remove = async (browser: BrowserLike, body: unknown = {}) =>
    readResponse(await browser.post("/delete-user", body));
  const countOf = async (table: "user" | "account" | "session", column: string, id: string) =>
    (await rows().query(`select 1 from identity."${table}" where ${column} = $1`, id)).length;
  const linkTo = async ({ email }: Pick<TestUser, "email">) =>
    new URL((await system().smtp.waitForMail(email)).links[0] ?? "");
  return {
    remove,
    linkTo,
    call: (browser: BrowserLike, query: Record<string, string>) =>
      browser.get(`/delete-user/callback?${new URLSearchParams(query).toString()}`),
    /** Requests the mail and returns the token of its link. */
    tokenFor: async (person: TestUser) => {
      expect(await remove(person.browser)).toEqual(mailed);
      return (await linkTo(person)).searchParams.get("token") ?? "";
    },
    signInAgain: async ({ email }: TestUser) => {
      const browser = createBrowserLike(system().url);
      const response = await browser.post("/sign-in/email", { email, password });
      expect(response.status).toBe(200);
      return browser;
    },
    get: async (browser: BrowserLike) => readResponse(await browser.get("/get-session")),
    exists: async ({ user }: TestUser) => (await countOf("user", "id", user.id)) > 0,
    /** Counts the remaining rows of a user. */
    countRows: async ({ user }: TestUser) => [
      await countOf("user", "id", user.id),
      await countOf("account", "user_id", user.id),
      await countOf("session", "user_id", user.id),
    ],
    audited: async (action: string, { user }: TestUser) =>
      (
        await rows().query(
          "select actor_id from identity.audit where action = $1 and subject_id = $2",
          action,
          user.id,
        )
      ).map(({ actor_id }) => actor_id),
    dropPassword: ({ user }: TestUser) =>
      rows().query("delete from identity.account where user_id = $1", user.id),
  };
};

const withStack = (
  options: SystemOptions,
  tests: (system: () => System, actions: ReturnType<typeof asking>, rows: () => Rows) => void,
): void => {
  const { system, rows } = useSystem(options);
  const here = () => system;
  const there = () => rows;
  tests(here, asking(here, there), there);
};

const race = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: callers }, work));

describe.each(sessionStores("redis"))("with sessions in $where", ({ stores }) => {
  const config = configWith({ enabled: true });
  withStack({ stores, config }, (system, actions, rows) => {
    const { remove, call, linkTo, tokenFor, signInAgain, get, exists, countRows, audited } =
      actions;

    test("the mailed link deletes the account and ends every session", async () => {
      const person = await signUp(system());
      const others = [await signInAgain(person), await signInAgain(person)];
      const stranger = await signUp(system());
      expect(await remove(person.browser, { callbackURL: "/bye?a=1&b=2" })).toEqual(mailed);
      expect(await exists(person)).toBe(true);
      const link = await linkTo(person);
      expect(link.origin + link.pathname).toBe(`${system().url}/delete-user/callback`);
      expect([...link.searchParams.keys()]).toEqual(["token", "callbackURL"]);
      expect(link.searchParams.get("token")).toMatch(/^[0-9a-z]{32}$/);
      const opened = await person.browser.get(link.href.slice(system().url.length));
      expect(opened.headers.get("location")).toBe("/bye?a=1&b=2");
      expect(await readResponse(opened)).toEqual({
        status: 302,
        body: undefined,
        cookies: clearing,
      });
      expect(await countRows(person)).toEqual([0, 0, 0]);
      for (const browser of others) {
        expect(await remove(browser)).toEqual(unauthorized);
        expect(await get(browser)).toEqual(nothingAnyMore);
      }
      expect(await exists(stranger)).toBe(true);
      expect(await audited("account-deletion.requested", person)).toEqual([person.user.id]);
      expect(await audited("user.deleted", person)).toEqual([person.user.id]);
      const events = await rows().query(
        "select 1 from identity.outbox where name = 'user.deleted' and data::jsonb->>'userId' = $1",
        person.user.id,
      );
      expect(events).toHaveLength(1);
    });

    test("a session that the browser still has is refused everywhere", async () => {
      const person = await signUp(system());
      const cookies = new Map(person.browser.cookies);
      await call(person.browser, { token: await tokenFor(person) });
      for (const [name, value] of cookies) person.browser.cookies.set(name, value);
      expect(await readResponse(await person.browser.get("/list-sessions"))).toEqual(unauthorized);
      expect(
        await readResponse(await person.browser.post("/update-user", { name: "Eve" })),
      ).toEqual(unauthorized);
      expect(await readResponse(await call(person.browser, { token: "x" }))).toEqual(noUserInfo);
      expect(await get(person.browser)).toEqual(nothingAnyMore);
      const again = { email: person.email, password };
      expect((await person.browser.post("/sign-in/email", again)).status).toBe(401);
    });

    test("without a callback URL the link answers with JSON, and the mail leads home", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      expect((await linkTo(person)).searchParams.get("callbackURL")).toBe("/");
      expect(await readResponse(await call(person.browser, { token, callbackURL: "" }))).toEqual(
        deleted,
      );
      expect(await countRows(person)).toEqual([0, 0, 0]);
    });

    test("the token can be posted instead, which clears the cookies too", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      expect(await remove(person.browser, { token, callbackURL: "/bye" })).toEqual(deleted);
      expect(await countRows(person)).toEqual([0, 0, 0]);
    });

    // Otherwise an attacker's own link would delete the account of a user who opens it.
    test("another user's token deletes no account, and stays valid for its owner", async () => {
      const [ada, mallory] = [await signUp(system()), await signUp(system())];
      const token = await tokenFor(mallory);
      expect(await readResponse(await call(ada.browser, { token }))).toEqual(invalidToken);
      expect(await remove(ada.browser, { token })).toEqual(invalidToken);
      expect(await exists(ada)).toBe(true);
      expect(await readResponse(await call(mallory.browser, { token }))).toEqual(deleted);
    });

    test("an unknown token deletes nothing", async () => {
      const person = await signUp(system());
      for (const token of ["", "unknown", "a".repeat(32), "a\u0001b", "é".repeat(1_000)]) {
        expect(await readResponse(await call(person.browser, { token }))).toEqual(invalidToken);
        if (token) expect(await remove(person.browser, { token })).toEqual(invalidToken);
      }
      expect(await exists(person)).toBe(true);
    });

    test("an expired token deletes nothing", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      await rows().query(
        "update identity.verification set expires_at = now() - interval '1 second' where value = $1",
        person.user.id,
      );
      expect(await readResponse(await call(person.browser, { token }))).toEqual(invalidToken);
      expect(await exists(person)).toBe(true);
    });

    test("a token for another purpose deletes nothing", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      await rows().query(
        `update identity.verification
         set identifier = replace(identifier, 'delete-account-', 'reset-password:') where value = $1`,
        person.user.id,
      );
      expect(await readResponse(await call(person.browser, { token }))).toEqual(invalidToken);
      expect(await exists(person)).toBe(true);
    });

    test("the token is stored hashed, with the configured lifetime", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      const [row] = await rows().query(
        `select identifier, extract(epoch from expires_at - created_at)::int as lifetime
         from identity.verification where value = $1`,
        person.user.id,
      );
      expect(row?.["identifier"]).toMatch(/^delete-account-[0-9a-f]{64}$/);
      expect(row?.["identifier"]).not.toContain(token);
      expect(row?.["lifetime"]).toBe(daySeconds);
    });

    test("one of 16 concurrent uses of a token deletes, and the application is notified once", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      let callCount = 0;
      hooked = {
        afterDelete: () => {
          callCount += 1;
        },
      };
      const cookie = `auth.session_token=${person.browser.cookies.get("auth.session_token")}`;
      const answers = await race(async () =>
        readResponse(
          await fetch(`${system().url}/delete-user/callback?token=${token}`, {
            headers: { cookie },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toEqual([deleted]);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect([invalidToken, noUserInfo]).toContainEqual(answer);
      expect(callCount).toBe(1);
      expect(await audited("user.deleted", person)).toHaveLength(1);
      expect(await countRows(person)).toEqual([0, 0, 0]);
    });

    test("a session that starts during the deletion does not outlive it", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      const body = { email: person.email, password };
      const browsers = Array.from({ length: 8 }, () => createBrowserLike(system().url));
      await Promise.all([
        ...browsers.map((browser) => browser.post("/sign-in/email", body)),
        call(person.browser, { token }),
      ]);
      for (const browser of browsers) expect(await get(browser)).toMatchObject({ body: null });
      expect(await countRows(person)).toEqual([0, 0, 0]);
    });

    test("a correct password does not replace the mail, and a wrong one prevents it", async () => {
      const person = await signUp(system());
      expect(await remove(person.browser, { password: "wrong" })).toEqual(wrongPassword);
      expect(await audited("account-deletion.requested", person)).toEqual([]);
      expect(await remove(person.browser, { password })).toEqual(mailed);
      expect(await exists(person)).toBe(true);
    });

    test("a wrong password prevents the use of a valid token", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      expect(await remove(person.browser, { token, password: "wrong" })).toEqual(wrongPassword);
      expect(await remove(person.browser, { token: "unknown", password })).toEqual(invalidToken);
      expect(await remove(person.browser, { token, password })).toEqual(deleted);
    });

    test("an old session may request the mail", async () => {
      bornBefore = 2 * daySeconds;
      const person = await signUp(system());
      expect(await remove(person.browser, { password: "", token: "" })).toEqual(mailed);
    });

    test("callers without a session are rejected: as unauthorized here, by the link as not found", async () => {
      const person = await signUp(system());
      const token = await tokenFor(person);
      const anonymous = createBrowserLike(system().url);
      expect(await remove(anonymous, { token })).toEqual(unauthorized);
      expect(await readResponse(await call(anonymous, { token }))).toEqual(noUserInfo);
      expect(await exists(person)).toBe(true);
    });

    test("input is checked before authentication", async () => {
      const anonymous = createBrowserLike(system().url);
      const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
      for (const body of [{ password: 1 }, { token: null }, { callbackURL: 1 }, []])
        expect(await remove(anonymous, body)).toMatchObject(expected);
      expect(await readResponse(await anonymous.get("/delete-user/callback"))).toMatchObject({
        ...expected,
        body: { message: "Invalid query parameters" },
      });
    });

    test("rejects untrusted callback URLs", async () => {
      const person = await signUp(system());
      const callbackURL = "https://evil.example";
      const foreign = errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL");
      expect(await remove(person.browser, { callbackURL })).toEqual(foreign);
      const token = await tokenFor(person);
      expect(await readResponse(await call(person.browser, { token, callbackURL }))).toEqual(
        foreign,
      );
      expect(await exists(person)).toBe(true);
    });
  });
});

describe.each(matrix("postgres", "redis"))(
  "with user.deleteUser.confirmByMail off and sessions in %s",
  (stores) => {
    const config = configWith({ enabled: true, confirmByMail: false });
    withStack({ stores, config }, (system, actions, rows) => {
      const { remove, signInAgain, get, exists, countRows, audited, dropPassword } = actions;

      test("a fresh session deletes the account at once and ends every session", async () => {
        const person = await signUp(system());
        const other = await signInAgain(person);
        expect(await remove(person.browser)).toEqual(deleted);
        expect(await countRows(person)).toEqual([0, 0, 0]);
        expect(await get(other)).toEqual(nothingAnyMore);
      });

      test("rejects a session that started too long ago, even if it was extended", async () => {
        bornBefore = daySeconds;
        const person = await signUp(system());
        expect(await remove(person.browser)).toEqual(tooOld);
        expect(await remove(person.browser, { password: "" })).toEqual(tooOld);
        expect(await exists(person)).toBe(true);
        bornBefore = daySeconds - 60;
        expect(await remove(await signInAgain(person))).toEqual(deleted);
      });

      test("accepts a session of any age with the password", async () => {
        bornBefore = 30 * daySeconds;
        const person = await signUp(system());
        expect(await remove(person.browser, { password: `${password}!` })).toEqual(wrongPassword);
        expect(await remove(person.browser, { password })).toEqual(deleted);
      });

      test("reports a missing password, which a fresh session does not need", async () => {
        const person = await signUp(system());
        await dropPassword(person);
        expect(await remove(person.browser, { password })).toEqual(
          errorResponse(400, "CREDENTIAL_ACCOUNT_NOT_FOUND", "Credential account not found"),
        );
        expect(await remove(person.browser)).toEqual(deleted);
      });

      matrixTest("one of 16 concurrent deletions happens, and none fails", async () => {
        const person = await signUp(system());
        const headers = {
          cookie: `auth.session_token=${person.browser.cookies.get("auth.session_token")}`,
          origin: system().origin,
          "content-type": "application/json",
        };
        const answers = await race(async () =>
          readResponse(
            await fetch(`${system().url}/delete-user`, { method: "POST", headers, body: "{}" }),
          ),
        );
        expect(answers.filter(({ status }) => status === 200)).toEqual([deleted]);
        for (const answer of answers.filter(({ status }) => status !== 200))
          expect(answer).toEqual(unauthorized);
        expect(await audited("user.deleted", person)).toHaveLength(1);
      });

      test("the application is notified before and after, with every field of the user", async () => {
        const calls: [string, FullUser, boolean][] = [];
        const person = await signUp(system());
        await person.browser.post("/update-user", { note: "a secret" });
        hooked = {
          beforeDelete: async (user) => calls.push(["before", user, await exists(person)]),
          afterDelete: async (user) => calls.push(["after", user, await exists(person)]),
        };
        await remove(person.browser);
        const whole = expect.objectContaining({
          id: person.user.id,
          email: person.email,
          note: "a secret",
        }) as FullUser;
        expect(calls).toEqual([
          ["before", whole, true],
          ["after", whole, false],
        ]);
      });

      test("an error of its before hook is returned, and nothing is deleted", async () => {
        const person = await signUp(system());
        let afters = 0;
        hooked = {
          beforeDelete: () => {
            throw new WireError("FORBIDDEN", { message: "There is an unpaid bill" });
          },
          afterDelete: () => {
            afters += 1;
          },
        };
        expect(await remove(person.browser)).toEqual(
          errorResponse(403, "FORBIDDEN", "There is an unpaid bill"),
        );
        hooked.beforeDelete = () => Promise.reject(new Error("not well"));
        expect(await remove(person.browser)).toEqual({ status: 500, body: undefined, cookies: [] });
        expect([await exists(person), afters]).toEqual([true, 0]);
        expect((await get(person.browser)).body).not.toBeNull();
      });

      test("its hook does not run for a deletion that is rejected anyway", async () => {
        let callCount = 0;
        hooked = {
          beforeDelete: () => {
            callCount += 1;
          },
        };
        bornBefore = daySeconds;
        const person = await signUp(system());
        await remove(person.browser);
        await remove(person.browser, { password: "wrong" });
        await remove(person.browser, { token: "unknown" });
        expect(callCount).toBe(0);
      });

      test("a failure after the deletion is 500, and the account is deleted", async () => {
        const person = await signUp(system());
        hooked = { afterDelete: () => Promise.reject(new Error("not well")) };
        expect((await remove(person.browser)).status).toBe(500);
        expect(await countRows(person)).toEqual([0, 0, 0]);
        expect(await get(person.browser)).toEqual(nothingAnyMore);
      });

      // No remaining user could create another admin.
      test("keeps the last admin", async () => {
        const [admin, second] = [await signUp(system()), await signUp(system())];
        const makeAdmin = ({ user }: TestUser) =>
          rows().query(`update identity."user" set role = 'user,admin' where id = $1`, user.id);
        await makeAdmin(admin);
        expect(await remove(admin.browser)).toMatchObject({
          body: { code: "YOU_CANNOT_REMOVE_THE_LAST_ADMIN" },
          cookies: [],
        });
        await makeAdmin(second);
        expect(await remove(admin.browser)).toEqual(deleted);
      });

      if (stores === "postgres")
        test("an admin who impersonates a user cannot delete the account", async () => {
          const person = await signUp(system());
          await impersonateInRows(system(), rows(), person.user.id);
          const answer = await remove(person.browser);
          expect(answer).toEqual(errorResponse(403, "FORBIDDEN", "Forbidden"));
          expect(await audited("user.deleted", person)).toEqual([]);
        });
    });
  },
);

describe("with session.freshAge 0", () => {
  const config = configWith({ enabled: true, confirmByMail: false }, { freshAge: 0 });
  withStack({ stores: "postgres", config }, (system, { remove }) => {
    test("a session of any age deletes the account", async () => {
      bornBefore = 6 * daySeconds;
      const { browser } = await signUp(system());
      expect(await remove(browser)).toEqual(deleted);
    });
  });
});

describe("with links that live for a minute, and hooks", () => {
  const config = configWith({ enabled: true, deleteTokenExpiresIn: 60 });
  withStack({ stores: "postgres", config }, (system, actions, rows) => {
    test("the token expires after a minute", async () => {
      const person = await signUp(system());
      await actions.tokenFor(person);
      const [row] = await rows().query(
        `select extract(epoch from expires_at - created_at)::int as lifetime
         from identity.verification where value = $1`,
        person.user.id,
      );
      expect(row).toEqual({ lifetime: 60 });
    });

    test("a failing session look-up does not count as a missing session", async () => {
      const person = await signUp(system());
      const token = await actions.tokenFor(person);
      await rows().query("alter table identity.session rename to elsewhere");
      const answer = await readResponse(await actions.call(person.browser, { token }));
      await rows().query("alter table identity.elsewhere rename to session");
      expect(answer).toEqual({ status: 500, body: undefined, cookies: [] });
      expect(await readResponse(await actions.call(person.browser, { token }))).toEqual(deleted);
    });

    test("an error of the application's before hook keeps the token valid", async () => {
      const person = await signUp(system());
      const token = await actions.tokenFor(person);
      hooked = { beforeDelete: () => Promise.reject(new Error("not well")) };
      expect((await actions.call(person.browser, { token })).status).toBe(500);
      hooked = {};
      expect(await readResponse(await actions.call(person.browser, { token }))).toEqual(deleted);
    });
  });
});

describe("with user.deleteUser off, the default", () => {
  withStack({ stores: "postgres", config: configWith({}) }, (system, { remove, call, exists }) => {
    test("reports after input and authentication that deletion is off", async () => {
      const person = await signUp(system());
      expect(await remove(person.browser, { password: "wrong" })).toEqual(notFound);
      expect(await remove(createBrowserLike(system().url))).toEqual(unauthorized);
      expect(await readResponse(await call(person.browser, { token: "x" }))).toEqual(notFound);
      expect(
        await readResponse(await call(createBrowserLike(system().url), { token: "x" })),
      ).toEqual(notFound);
      expect(await remove(person.browser, { password: 1 })).toMatchObject({ status: 400 });
      expect(await exists(person)).toBe(true);
    });
  });
});
