import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, verifySignedValue } from "@latchkey/crypto";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { dumpPostgres } from "../reliability/failure/dump.ts";
import { matrixTest, sessionStores } from "../harness/matrix.ts";
import { getCachedSessionUntil, isSignedOut, withCookiesOf } from "../harness/cached-sessions.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openPool, type Rows, verifyAddress } from "../harness/rows.ts";
import type { SystemOptions } from "../harness/configure-system.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password, setRole, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const callers = 16;
const newPassword = "another horse, another battery";
const unknownToken = "A".repeat(24);
const resetRequested = {
  status: 200,
  body: {
    status: true,
    message: "If this email exists in our system, check your email for the reset link",
  },
  cookies: [],
};
const done = { status: 200, body: { status: true }, cookies: [] };
const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const invalidToken = errorResponse(400, "INVALID_TOKEN", "invalid token");
const invalidPassword = errorResponse(400, "INVALID_PASSWORD", "Invalid password");
const tooShort = errorResponse(400, "PASSWORD_TOO_SHORT", "Password too short");
const tooLong = errorResponse(400, "PASSWORD_TOO_LONG", "Password too long");
const noCredential = errorResponse(
  400,
  "CREDENTIAL_ACCOUNT_NOT_FOUND",
  "Credential account not found",
);
const invalidInput = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };

/** The application's vetoes in the current test. */
let vetoed: { sessions: boolean; accounts: boolean } = { sessions: false, accounts: false };
afterEach(() => {
  vetoed = { sessions: false, accounts: false };
});

const configWith = (own: LatchkeyConfig = {}): LatchkeyConfig => ({
  ...serviceConfig,
  trustedOrigins: ["https://app.example.com", "myapp://"],
  databaseHooks: {
    session: { create: { before: () => (vetoed.sessions ? false : undefined) } },
    account: { create: { before: () => (vetoed.accounts ? false : undefined) } },
  },
  ...own,
  // Races send more passwords at once than a user has tries.
  emailAndPassword: { passwordTries: { max: 100 }, ...own.emailAndPassword },
});

const withStack = (
  options: SystemOptions,
  tests: (system: () => System, rows: () => Rows) => void,
): void => {
  const { system, rows } = useSystem({ ...options, config: configWith(options.config) });
  tests(
    () => system,
    () => rows,
  );
};

/** The system of all tests that need no other configuration or store. */
const usual = useSystem({ stores: "postgres", config: configWith() });
const { rows: usualRows } = usual;
const withUsualStack = (tests: (system: () => System, rows: () => Rows) => void): void =>
  tests(
    () => usual.system,
    () => usualRows,
  );

const race = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: callers }, (_, index) => work(index)));

const post = async (system: System, path: string, body: unknown) =>
  readResponse(await createBrowserLike(system.url).post(path, body));

/** Calls identity directly, as another service does. */
const setPassword = async (
  { urlOf }: System,
  body: unknown,
  authorization = `Bearer ${serviceConfig.serviceTokens["backoffice"]}`,
) =>
  readResponse(
    await fetch(`${urlOf("identity")}/internal/set-password`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify(body),
    }),
  );

const mailsTo = (system: System, email: string) =>
  system.smtp.mails.filter(({ to }) => to.includes(email));

/** Requests a reset and returns the mailed link. */
const mailedLink = async (system: System, email: string, own: object = {}): Promise<URL> => {
  const before = mailsTo(system, email).length;
  expect(await post(system, "/request-password-reset", { email, ...own })).toEqual(resetRequested);
  const mail = await until(() => mailsTo(system, email)[before]);
  return new URL(mail.links[0] ?? "");
};
const tokenOf = (link: URL) => link.pathname.split("/").at(-1) ?? "";
const mailedToken = async (system: System, email: string) =>
  tokenOf(await mailedLink(system, email));

const reset = (system: System, token: string, chosen = newPassword) =>
  post(system, "/reset-password", { token, newPassword: chosen });

/** Returns the browser of a sign-in, or undefined if it is rejected. */
const signIn = async (system: System, email: string, chosen: string, own: object = {}) => {
  const browser = createBrowserLike(system.url);
  const body = { email, password: chosen, ...own };
  const { status } = await browser.post("/sign-in/email", body);
  expect([200, 401]).toContain(status);
  return status === 200 ? browser : undefined;
};
const opens = async (system: System, email: string, chosen: string) =>
  (await signIn(system, email, chosen)) !== undefined;
/** Signs a user in with another browser. */
const anotherOf = async (system: System, { email }: TestUser, own: object = {}) => {
  const browser = await signIn(system, email, password, own);
  if (!browser) throw new Error("the password was refused");
  return browser;
};
const tokenIn = (browser: BrowserLike) =>
  verifySignedValue(ring, browser.cookies.get("auth.session_token") ?? "");
/** Whether a browser has a session. Works on copied cookies, because the answer may clear them. */
const lives = async (system: System, browser: BrowserLike) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${system.url}/get-session`, { headers: { cookie } });
  return (await response.json()) !== null;
};
/** The same, after the gateway has learnt of the session's end. */
const lookAfterEnd = (system: System, browser: BrowserLike) =>
  getCachedSessionUntil(withCookiesOf(system.url, browser), isSignedOut);

const audits = (rows: Rows, action: string, subjectId: string) =>
  rows.query(
    `select actor_kind, actor_id, outcome, before, after from identity.audit
     where action = $1 and subject_id = $2`,
    action,
    subjectId,
  );
/** Marks a user's address as verified. */
const prove = (rows: Rows, { user }: TestUser) => verifyAddress(rows, user.id);
const dropAccounts = (rows: Rows, { user }: TestUser) =>
  rows.query("delete from identity.account where user_id = $1", user.id);

const variants = sessionStores("redis");

describe("/request-password-reset", () => {
  const path = "/request-password-reset";
  withUsualStack((system, rows) => {
    test("the mailed link leads to the application with a token that sets a new password", async () => {
      const { email } = await signUp(system());
      expect(await post(system(), path, { email, redirectTo: "/choose?a=1&b=2" })).toEqual(
        resetRequested,
      );
      const mail = await system().smtp.waitForMail(email);
      const link = mail.links[0] ?? "";
      expect(link.slice(0, system().url.length)).toBe(system().url);
      expect(link.slice(system().url.length)).toMatch(
        /^\/reset-password\/[A-Za-z0-9]{24}\?callbackURL=%2Fchoose%3Fa%3D1%26b%3D2$/,
      );
      const opened = await fetch(link, { redirect: "manual" });
      const token = tokenOf(new URL(link));
      expect([opened.status, opened.headers.get("location"), await opened.text()]).toEqual([
        302,
        `${system().origin}/choose?a=1&b=2&token=${token}`,
        "",
      ]);
      expect(await reset(system(), token)).toEqual(done);
      expect(await opens(system(), email, newPassword)).toBe(true);
      expect(await opens(system(), email, password)).toBe(false);
    });

    test("without redirectTo the link carries an empty callbackURL", async () => {
      const { email } = await signUp(system());
      const link = await mailedLink(system(), email);
      expect(link.search).toBe("?callbackURL=");
    });

    test("the older name mails the same link", async () => {
      const { email } = await signUp(system());
      expect(await post(system(), "/forget-password", { email })).toEqual(resetRequested);
      const { links } = await system().smtp.waitForMail(email);
      expect(await reset(system(), tokenOf(new URL(links[0] ?? "")))).toEqual(done);
    });

    test("an address matches in any case", async () => {
      const { email } = await signUp(system());
      expect(await post(system(), path, { email: email.toUpperCase() })).toEqual(resetRequested);
      await system().smtp.waitForMail(email);
    });

    // Otherwise an attacker could learn which addresses are registered.
    test("an unknown address gets the same answer, no mail and no token", async () => {
      const email = newEmail();
      const tokens = () => rows().query("select id from identity.verification order by id");
      const before = await tokens();
      const registered = await signUp(system());
      expect(await post(system(), path, { email })).toEqual(resetRequested);
      expect(await tokens()).toEqual(before);
      await mailedLink(system(), registered.email);
      expect(mailsTo(system(), email)).toEqual([]);
    });

    test.each([
      ["no address", {}],
      ["no text", { email: 1 }],
      ["null", { email: null }],
      ["what is no address", { email: "ada@example" }],
      ["a redirectTo that is no text", { email: "ada@example.com", redirectTo: 1 }],
    ])("rejects %s", async (_case, body) => {
      expect(await post(system(), path, body)).toMatchObject(invalidInput);
    });

    test("rejects an untrusted redirectTo, and sends no mail", async () => {
      const { email } = await signUp(system());
      expect(await post(system(), path, { email, redirectTo: "https://evil.com" })).toEqual(
        errorResponse(403, "INVALID_REDIRECTURL", "Invalid redirectURL"),
      );
      await mailedLink(system(), email, { redirectTo: "https://app.example.com/x" });
      expect(mailsTo(system(), email)).toHaveLength(1);
    });

    test("the audit log has no actor and no secret", async () => {
      const { email, user } = await signUp(system());
      await mailedLink(system(), email);
      expect(await audits(rows(), "password-reset.requested", user.id)).toEqual([
        { actor_kind: "anonymous", actor_id: null, outcome: "success", before: null, after: null },
      ]);
    });

    test("a user without a password also gets the mail, and can set one with it", async () => {
      const user = await signUp(system());
      await dropAccounts(rows(), user);
      expect(await reset(system(), await mailedToken(system(), user.email))).toEqual(done);
      expect(await opens(system(), user.email, newPassword)).toBe(true);
      expect(
        await rows().query(
          "select provider_id, account_id from identity.account where user_id = $1",
          user.user.id,
        ),
      ).toEqual([{ provider_id: "credential", account_id: user.user.id }]);
    });
  });
});

describe("GET /reset-password/{token}", () => {
  withUsualStack((system, rows) => {
    const open = async (token: string, query: string) => {
      const response = await createBrowserLike(system().url).get(
        `/reset-password/${token}${query}`,
      );
      return { location: response.headers.get("location"), ...(await readResponse(response)) };
    };
    const openFor = (token: string, callbackURL: string) =>
      open(token, `?callbackURL=${encodeURIComponent(callbackURL)}`);
    const redirected = (location: string) => ({
      status: 302,
      location,
      body: undefined,
      cookies: [],
    });

    test("the token is merged into the query of the callback URL, which becomes absolute", async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      const { origin } = system();
      const cases = [
        ["/reset", `${origin}/reset?token=${token}`],
        ["/reset?x=1", `${origin}/reset?x=1&token=${token}`],
        ["/a/../b", `${origin}/b?token=${token}`],
        ["/reset?token=another&y=2", `${origin}/reset?y=2&token=${token}`],
        ["https://app.example.com", `https://app.example.com?token=${token}`],
        ["https://app.example.com/a?b=c", `https://app.example.com/a?b=c&token=${token}`],
        ["https://app.example.com/#/reset", `https://app.example.com/?token=${token}#/reset`],
        ["myapp://reset", `myapp://reset?token=${token}`],
        ["myapp://reset/a?b=c", `myapp://reset/a?b=c&token=${token}`],
      ] as const;
      for (const [callbackURL, location] of cases)
        expect(await openFor(token, callbackURL)).toEqual(redirected(location));
    });

    test("opening a link any number of times keeps its token valid", async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      const answers = await race(() => openFor(token, "/reset"));
      for (const answer of answers)
        expect(answer).toEqual(redirected(`${system().origin}/reset?token=${token}`));
      expect(await reset(system(), token)).toEqual(done);
    });

    test("an empty callback URL leads to our own error page", async () => {
      const { email } = await signUp(system());
      const link = await mailedLink(system(), email);
      const page = `${system().url}/error?error=INVALID_TOKEN`;
      expect(await open(tokenOf(link), link.search)).toEqual(redirected(page));
      expect(await open(unknownToken, "?callbackURL=")).toEqual(redirected(page));
      expect(await (await fetch(page)).text()).toContain("INVALID_TOKEN");
    });

    test("an unknown, used or expired token is reported to the callback URL", async () => {
      const { email } = await signUp(system());
      const expired = await mailedToken(system(), email);
      await rows().query("update identity.verification set expires_at = now()");
      const used = await mailedToken(system(), email);
      await reset(system(), used);
      for (const token of [unknownToken, "x", "%20", expired, used])
        expect(await openFor(token, "/reset?x=1")).toEqual(
          redirected(`${system().origin}/reset?x=1&error=INVALID_TOKEN`),
        );
    });

    test.each(["", "?callbackURL=/a&callbackURL=/b"])("rejects the query '%s'", async (query) => {
      expect(await open(unknownToken, query)).toMatchObject({
        ...invalidInput,
        body: { code: "VALIDATION_ERROR", message: "Invalid query parameters" },
        location: null,
      });
    });

    // A token that is sent to a foreign origin gives the account away.
    test("a valid token is not sent to a foreign origin", async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      const foreign = "https://evil.com/ //evil.com /\\evil.com http:evil.com javascript:1";
      for (const callbackURL of foreign.split(" "))
        expect([callbackURL, await openFor(token, callbackURL)]).toEqual([
          callbackURL,
          { ...errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"), location: null },
        ]);
    });
  });

  // `*` allows every origin at the gateway, but does not determine where our own paths lead.
  describe("with every origin trusted", () => {
    withStack({ stores: "postgres", config: { trustedOrigins: ["*"] } }, (system) => {
      test.each(["//evil.com", "///evil.com", "//["])(
        "rejects %s, which is not a path of ours",
        async (callbackURL) => {
          const response = await createBrowserLike(system().url).get(
            `/reset-password/${unknownToken}?callbackURL=${encodeURIComponent(callbackURL)}`,
          );
          expect(response.headers.get("location")).toBeNull();
          expect(await readResponse(response)).toEqual(
            errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
          );
        },
      );
    });
  });
});

describe("POST /reset-password", () => {
  withUsualStack((system, rows) => {
    test.each<[string, unknown, string, object]>([
      ["no body", undefined, "", invalidInput],
      ["no password", { token: unknownToken }, "", invalidInput],
      ["a password that is no text", { token: unknownToken, newPassword: 1 }, "", invalidInput],
      ["a token that is no text", { token: 1, newPassword }, "", invalidInput],
      ["no token, however short the password", { newPassword: "short" }, "", invalidToken],
      ["an empty token", { token: "", newPassword }, "?token=", invalidToken],
      [
        "a password too short, whatever the token",
        { token: unknownToken, newPassword: "1234567" },
        "",
        tooShort,
      ],
      [
        "a password too long, whatever the token",
        { token: unknownToken, newPassword: "a".repeat(129) },
        "",
        tooLong,
      ],
      ["an unknown token", { token: unknownToken, newPassword }, "", invalidToken],
      ["an unknown token in the query", { newPassword }, `?token=${unknownToken}`, invalidToken],
      ["a token with NUL", { token: `${"A".repeat(23)}\0`, newPassword }, "", invalidInput],
      ["a token with NUL in the query", { newPassword }, "?token=%00", invalidInput],
      ["an endless token", { token: "A".repeat(10_000), newPassword }, "", invalidInput],
      ["a long token", { token: "A".repeat(1_000), newPassword }, "", invalidToken],
    ])("rejects %s", async (_case, body, query, expected) => {
      expect(await post(system(), `/reset-password${query}`, body)).toMatchObject(expected);
    });

    test("two tokens in the query are refused", async () => {
      const query = `?token=${unknownToken}&token=${unknownToken}`;
      expect(await post(system(), `/reset-password${query}`, { newPassword })).toMatchObject({
        body: { code: "VALIDATION_ERROR", message: "Invalid query parameters" },
      });
    });

    test.each([8, 128])("accepts a password of %i UTF-16 units", async (length) => {
      const { email } = await signUp(system());
      const chosen = "ä".repeat(length);
      expect(await reset(system(), await mailedToken(system(), email), chosen)).toEqual(done);
      expect(await opens(system(), email, chosen)).toBe(true);
    });

    test("the token may be in the query, and the one in the body takes precedence", async () => {
      const [ada, grace] = [await signUp(system()), await signUp(system())];
      const [first, second] = [
        await mailedToken(system(), ada.email),
        await mailedToken(system(), grace.email),
      ];
      const path = `/reset-password?token=${first}`;
      expect(await post(system(), path, { newPassword, token: second })).toEqual(done);
      expect(await opens(system(), ada.email, password)).toBe(true);
      expect(await opens(system(), grace.email, newPassword)).toBe(true);
      expect(await post(system(), path, { newPassword, token: "" })).toEqual(done);
      expect(await opens(system(), ada.email, newPassword)).toBe(true);
    });

    test("a rejected password keeps the token valid", async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      expect(await reset(system(), token, "short")).toEqual(tooShort);
      expect(await reset(system(), token)).toEqual(done);
    });

    test("a used token is invalid", async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      await reset(system(), token);
      expect(await reset(system(), token, "yet another password")).toEqual(invalidToken);
      expect(await opens(system(), email, newPassword)).toBe(true);
    });

    test("an expired token is rejected from the exact moment on", async () => {
      const { email, user } = await signUp(system());
      const token = await mailedToken(system(), email);
      await rows().query(
        "update identity.verification set expires_at = now() where value = $1",
        user.id,
      );
      expect(await reset(system(), token)).toEqual(invalidToken);
      expect(await opens(system(), email, password)).toBe(true);
    });

    test("a token expires after an hour", async () => {
      const { email, user } = await signUp(system());
      await mailedLink(system(), email);
      expect(
        await rows().query(
          `select extract(epoch from expires_at - created_at)::int as seconds
           from identity.verification where value = $1`,
          user.id,
        ),
      ).toEqual([{ seconds: 3600 }]);
    });

    // Otherwise a link that a thief requested, or found in a mailbox, would undo the owner's repair.
    test("a reset invalidates all earlier links of this user only", async () => {
      const [ada, grace] = [await signUp(system()), await signUp(system())];
      const older = await mailedToken(system(), ada.email);
      const newer = await mailedToken(system(), ada.email);
      const others = await mailedToken(system(), grace.email);
      expect(await reset(system(), newer)).toEqual(done);
      expect(await reset(system(), older)).toEqual(invalidToken);
      expect(await reset(system(), others)).toEqual(done);
    });

    test("earlier links are all valid until one is used", async () => {
      const { email } = await signUp(system());
      const older = await mailedToken(system(), email);
      await mailedToken(system(), email);
      expect(await reset(system(), older)).toEqual(done);
    });

    test("a link that deletes the account outlives a reset, and is not a reset link", async () => {
      const signedUp = await signUp(system());
      await prove(rows(), signedUp);
      const { email, user } = signedUp;
      await rows().query(
        `insert into identity.verification values
         ('kept', 'delete-account-x', $1, now() + interval '1 hour', now(), now())`,
        user.id,
      );
      expect(await reset(system(), await mailedToken(system(), email))).toEqual(done);
      const statement = "select id from identity.verification where value = $1";
      expect(await rows().query(statement, user.id)).toEqual([{ id: "kept" }]);
    });

    test("one of 16 concurrent uses of a token sets its password", async () => {
      const { email, user } = await signUp(system());
      const token = await mailedToken(system(), email);
      const answers = await race((index) => reset(system(), token, `${newPassword} ${index}`));
      const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      expect(winners).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toEqual(invalidToken);
      expect(await opens(system(), email, `${newPassword} ${winners[0]}`)).toBe(true);
      expect(await audits(rows(), "password.reset", user.id)).toHaveLength(1);
    });

    matrixTest(
      "one of 16 concurrent uses of four tokens of one user sets its password",
      async () => {
        const { email } = await signUp(system());
        const tokens: string[] = [];
        for (let index = 0; index < 4; index += 1) tokens.push(await mailedToken(system(), email));
        const answers = await race((index) =>
          reset(system(), tokens[index % 4] ?? "", `${newPassword} ${index}`),
        );
        const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
        expect(winners).toHaveLength(1);
        for (const answer of answers.filter(({ status }) => status !== 200))
          expect(answer).toEqual(invalidToken);
        expect(await opens(system(), email, `${newPassword} ${winners[0]}`)).toBe(true);
      },
    );

    test("16 concurrent first passwords create one account", async () => {
      const user = await signUp(system());
      const token = await mailedToken(system(), user.email);
      await dropAccounts(rows(), user);
      const answers = await race(() => reset(system(), token));
      expect(answers.filter(({ status }) => status === 200)).toEqual([done]);
      const accounts = "select 1 from identity.account where user_id = $1";
      expect(await rows().query(accounts, user.user.id)).toHaveLength(1);
    });

    test("does not verify the address", async () => {
      const { email, user } = await signUp(system());
      await reset(system(), await mailedToken(system(), email));
      const isProven = "select email_verified from identity.user where id = $1";
      expect(await rows().query(isProven, user.id)).toEqual([{ email_verified: false }]);
    });

    test("the token of a deleted user is invalid", async () => {
      const { email, user } = await signUp(system());
      const token = await mailedToken(system(), email);
      await rows().query('delete from identity."user" where id = $1', user.id);
      expect(await reset(system(), token)).toEqual(invalidToken);
    });

    test("a veto of the account by the application keeps the token valid", async () => {
      const user = await signUp(system());
      const token = await mailedToken(system(), user.email);
      await dropAccounts(rows(), user);
      vetoed.accounts = true;
      expect(await reset(system(), token)).toEqual(
        errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user"),
      );
      vetoed.accounts = false;
      expect(await reset(system(), token)).toEqual(done);
    });
  });
});

describe.each(variants)("with sessions in $where", ({ stores }) => {
  const shared = useSystem({ stores, config: configWith() });
  const { rows: sharedRows } = shared;
  const withSharedStack: typeof withUsualStack = (tests) =>
    tests(
      () => shared.system,
      () => sharedRows,
    );

  describe("a reset", () => {
    withSharedStack((system, rows) => {
      test("keeps the sessions of a user with a verified address", async () => {
        const user = await signUp(system());
        await prove(rows(), user);
        const other = await anotherOf(system(), user);
        expect(await reset(system(), await mailedToken(system(), user.email))).toEqual(done);
        expect(await lives(system(), user.browser)).toBe(true);
        expect(await lives(system(), other)).toBe(true);
      });

      // Attack: an attacker registers another person's address, and its owner later uses a mailed link.
      test("ends all sessions if the address was unverified, including one that is being created", async () => {
        const user = await signUp(system());
        const other = await anotherOf(system(), user);
        const token = await mailedToken(system(), user.email);
        const [answer, ...browsers] = await Promise.all([
          reset(system(), token),
          ...Array.from({ length: callers }, () => signIn(system(), user.email, password)),
        ]);
        expect(answer).toEqual(done);
        for (const browser of [user.browser, other, ...browsers])
          if (browser) expect(await lives(system(), browser)).toBe(false);
        expect(await opens(system(), user.email, newPassword)).toBe(true);
      });
    });
  });

  describe("a reset with revokeSessionsOnPasswordReset", () => {
    const config = { emailAndPassword: { revokeSessionsOnPasswordReset: true } };
    withStack({ stores, config }, (system, rows) => {
      test.each([
        ["another password", false],
        ["a first password", true],
      ])("that sets %s ends every session of the user, and no other user's", async (_, isFirst) => {
        const [user, stranger] = [await signUp(system()), await signUp(system())];
        const others = [
          await anotherOf(system(), user),
          await anotherOf(system(), user, { rememberMe: false }),
        ];
        const token = await mailedToken(system(), user.email);
        if (isFirst) await dropAccounts(rows(), user);
        expect(await reset(system(), token)).toEqual(done);
        for (const browser of [user.browser, ...others])
          expect(await lives(system(), browser)).toBe(false);
        expect(await lives(system(), stranger.browser)).toBe(true);
      });

      test("that is rejected ends none", async () => {
        const user = await signUp(system());
        expect(await reset(system(), unknownToken)).toEqual(invalidToken);
        expect(await lives(system(), user.browser)).toBe(true);
      });

      // A thief who knows the old password must not sign in while it is being replaced.
      test("leaves no session to concurrent sign-ins with the old password", async () => {
        const user = await signUp(system());
        const token = await mailedToken(system(), user.email);
        const [answer, ...browsers] = await Promise.all([
          reset(system(), token),
          ...Array.from({ length: callers }, () => signIn(system(), user.email, password)),
        ]);
        expect(answer).toEqual(done);
        for (const browser of browsers)
          if (browser) expect(await lives(system(), browser)).toBe(false);
      });
    });
  });

  describe("change-password", () => {
    withSharedStack((system, rows) => {
      const change = async (browser: BrowserLike, own: object = {}) =>
        readResponse<{ token: string | null; user: object }>(
          await browser.post("/change-password", {
            newPassword,
            currentPassword: password,
            ...own,
          }),
        );

      test("sets the new password and keeps every session", async () => {
        const user = await signUp(system());
        const other = await anotherOf(system(), user);
        const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(await change(user.browser)).toStrictEqual({
          status: 200,
          body: {
            token: null,
            user: {
              id: user.user.id,
              name: "Ada",
              email: user.email,
              emailVerified: false,
              image: null,
              createdAt: time,
              updatedAt: time,
            },
          },
          cookies: [],
        });
        expect(await opens(system(), user.email, newPassword)).toBe(true);
        expect(await opens(system(), user.email, password)).toBe(false);
        expect(await lives(system(), user.browser)).toBe(true);
        expect(await lives(system(), other)).toBe(true);
      });

      test("revokeOtherSessions ends all sessions except a new one for the browser", async () => {
        const [user, stranger] = [await signUp(system()), await signUp(system())];
        const other = await anotherOf(system(), user);
        const before = new Map(user.browser.cookies);
        const { status, body, cookies } = await change(user.browser, {
          revokeOtherSessions: true,
        });
        expect([status, body.token]).toEqual([200, expect.stringMatching(/^[A-Za-z0-9]{32}$/)]);
        expect(body.token).not.toBe(user.token);
        expect(cookies).toEqual([
          expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=604800; Path=\//),
        ]);
        expect(tokenIn(user.browser)).toBe(body.token);
        expect(await lives(system(), user.browser)).toBe(true);
        expect(await lives(system(), { ...user.browser, cookies: before })).toBe(false);
        expect(await lives(system(), other)).toBe(false);
        expect(await lives(system(), stranger.browser)).toBe(true);
        const listed = (await (await user.browser.get("/list-sessions")).json()) as object[];
        expect(listed).toMatchObject([{ token: body.token }]);
      });

      test("the delayed event that ends the others keeps the new session", async () => {
        const user = await signUp(system());
        await change(user.browser, { revokeOtherSessions: true });
        const sent = `select 1 from identity.outbox where name = 'session.revoked-all'
                      and data::jsonb->>'userId' = $1 and published_at is not null`;
        await until(async () => (await rows().query(sent, user.user.id)).length > 0);
        expect(await lives(system(), user.browser)).toBe(true);
      });

      test("a session that ends with the browser is replaced by one that does too", async () => {
        const browser = await anotherOf(system(), await signUp(system()), { rememberMe: false });
        browser.cookies.delete("auth.dont_remember"); // the session itself records it
        const { cookies } = await change(browser, { revokeOtherSessions: true });
        expect(cookies).toEqual([
          expect.stringMatching(/^auth\.session_token=[^;]+; Path=\//),
          expect.stringMatching(/^auth\.dont_remember=[^;]+; Path=\//),
        ]);
        expect(await lives(system(), browser)).toBe(true);
      });

      test("a client without cookies gets its new token in a header", async () => {
        const { token } = await signUp(system());
        const response = await fetch(`${system().url}/change-password`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({
            newPassword,
            currentPassword: password,
            revokeOtherSessions: true,
          }),
        });
        const { body } = await readResponse<{ token: string }>(response.clone());
        const signed = response.headers.get("set-auth-token") ?? "";
        expect(verifySignedValue(ring, signed)).toBe(body.token);
      });

      test("a vetoed session changes nothing", async () => {
        const user = await signUp(system());
        vetoed.sessions = true;
        const answer = await change(user.browser, { revokeOtherSessions: true });
        vetoed.sessions = false;
        expect(answer).toEqual(
          errorResponse(500, "FAILED_TO_GET_SESSION", "Failed to get session"),
        );
        expect(await lives(system(), user.browser)).toBe(true);
        expect(await opens(system(), user.email, password)).toBe(true);
      });

      test("a change invalidates earlier reset links", async () => {
        const user = await signUp(system());
        const token = await mailedToken(system(), user.email);
        await change(user.browser);
        expect(await reset(system(), token)).toEqual(invalidToken);
      });

      test("one of 16 concurrent changes succeeds, and its session is the only one", async () => {
        const user = await signUp(system());
        const cookie = `auth.session_token=${user.browser.cookies.get("auth.session_token")}`;
        const answers = await race(async (index) =>
          readResponse<{ token: string }>(
            await fetch(`${system().url}/change-password`, {
              method: "POST",
              headers: { cookie, "content-type": "application/json" },
              body: JSON.stringify({
                newPassword: `${newPassword} ${index}`,
                currentPassword: password,
                revokeOtherSessions: true,
              }),
            }),
          ),
        );
        const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
        expect(winners).toHaveLength(1);
        const lost = answers.filter(({ status }) => status !== 200);
        for (const answer of lost) expect([invalidPassword, unauthorized]).toContainEqual(answer);
        const [winner = 0] = winners;
        const token = answers[winner]?.body.token;
        const listed = await fetch(`${system().url}/list-sessions`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(await listed.json()).toMatchObject([{ token }]);
        expect(await opens(system(), user.email, `${newPassword} ${winner}`)).toBe(true);
      });

      matrixTest("one of 16 concurrent changes that keep sessions succeeds", async () => {
        const user = await signUp(system());
        const answers = await race((index) =>
          change(user.browser, { newPassword: `${newPassword} ${index}` }),
        );
        const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
        expect(winners).toHaveLength(1);
        for (const answer of answers.filter(({ status }) => status !== 200))
          expect(answer).toEqual(invalidPassword);
        expect(await opens(system(), user.email, `${newPassword} ${winners[0]}`)).toBe(true);
        expect(await audits(rows(), "password.changed", user.user.id)).toEqual([
          {
            actor_kind: "user",
            actor_id: user.user.id,
            outcome: "success",
            before: null,
            after: null,
          },
        ]);
      });

      // The same race with the other way to replace a password.
      test("if a change and a reset succeed concurrently, the later one's password is valid", async () => {
        const user = await signUp(system());
        const token = await mailedToken(system(), user.email);
        const [changed, wasReset] = await Promise.all([
          change(user.browser, { newPassword: "the changed password" }),
          reset(system(), token, "the reset password"),
        ]);
        const statuses = [changed.status, wasReset.status].toSorted();
        expect(statuses).toEqual([200, 400]);
        const chosen = changed.status === 200 ? "the changed password" : "the reset password";
        expect(await opens(system(), user.email, chosen)).toBe(true);
      });
    });
  });
});

const compromised = errorResponse(
  400,
  "PASSWORD_COMPROMISED",
  "The password you entered has been compromised. Please choose a different password.",
);

withUsualStack((system) => {
  test("a leaked password is refused wherever one is chosen", async () => {
    const leaked = "Iloveyou1";
    const { browser, user, email: ownEmail } = await signUp(system());
    const [email, userId] = [newEmail(), user.id];
    await setRole(system(), userId, "admin");
    for (const [path, body] of [
      ["/sign-up/email", { name: "Ada", email, password: leaked }],
      ["/change-password", { newPassword: leaked, currentPassword: password }],
      ["/reset-password", { newPassword: leaked, token: unknownToken }],
      ["/admin/create-user", { name: "Ada", email, password: leaked }],
      ["/admin/set-user-password", { userId, newPassword: leaked }],
    ] as const)
      expect([path, await readResponse(await browser.post(path, body))]).toEqual([
        path,
        compromised,
      ]);
    expect(await setPassword(system(), { userId, newPassword: leaked })).toEqual(compromised);
    expect(await opens(system(), ownEmail, password)).toBe(true);
  });
});

describe("POST /change-password", () => {
  withUsualStack((system, rows) => {
    const body = { newPassword, currentPassword: password };

    test.each<[string, object]>([
      ["nothing", {}],
      ["no new password", { currentPassword: password }],
      ["no current password", { newPassword }],
      ["a new password that is no text", { ...body, newPassword: 1 }],
      ["revokeOtherSessions that is null", { ...body, revokeOtherSessions: null }],
      ["revokeOtherSessions that is text", { ...body, revokeOtherSessions: "true" }],
    ])("rejects %s before authentication", async (_case, sent) => {
      expect(await post(system(), "/change-password", sent)).toMatchObject(invalidInput);
    });

    test("rejects callers without a session", async () => {
      expect(await post(system(), "/change-password", body)).toEqual(unauthorized);
    });

    test.each<[string, object, object]>([
      ["too short, whatever the current one", { newPassword: "1234567" }, tooShort],
      ["too long, whatever the current one", { newPassword: "a".repeat(129) }, tooLong],
      ["good, but the current one wrong", { newPassword }, invalidPassword],
      ["good, but the current one empty", { newPassword, currentPassword: "" }, invalidPassword],
    ])("rejects a new password that is %s", async (_case, own, expected) => {
      const { browser, email } = await signUp(system());
      const sent = { currentPassword: "a wrong password", revokeOtherSessions: true, ...own };
      expect(await readResponse(await browser.post("/change-password", sent))).toEqual(expected);
      expect(await opens(system(), email, password)).toBe(true);
      expect(await lives(system(), browser)).toBe(true);
    });

    test.each([
      ["no password account", "delete from identity.account where user_id = $1"],
      [
        "an account without a password",
        "update identity.account set password = null where user_id = $1",
      ],
    ])("reports it to a user with %s", async (_case, statement) => {
      const { browser, user } = await signUp(system());
      await rows().query(statement, user.id);
      expect(await readResponse(await browser.post("/change-password", body))).toEqual(
        noCredential,
      );
    });

    test("another user's password is no substitute, and is not changed", async () => {
      const [ada, grace] = [await signUp(system()), await signUp(system())];
      await grace.browser.post("/change-password", {
        newPassword: "the password of Grace",
        currentPassword: password,
      });
      const sent = { newPassword, currentPassword: "the password of Grace" };
      expect(await readResponse(await ada.browser.post("/change-password", sent))).toEqual(
        invalidPassword,
      );
      expect(await opens(system(), grace.email, "the password of Grace")).toBe(true);
    });
  });
});

describe("POST /internal/set-password", () => {
  withUsualStack((system, rows) => {
    /** Signs up a user and removes the password. */
    const passwordless = async () => {
      const user = await signUp(system());
      await dropAccounts(rows(), user);
      return user;
    };

    test("sets a first password and keeps sessions", async () => {
      const { browser, email, user } = await passwordless();
      expect(await setPassword(system(), { userId: user.id, newPassword })).toEqual(done);
      expect(await opens(system(), email, newPassword)).toBe(true);
      expect(await lives(system(), browser)).toBe(true);
      expect(await audits(rows(), "password.set", user.id)).toMatchObject([
        { actor_kind: "service", actor_id: "backoffice" },
      ]);
    });

    test("fills an account that has no password", async () => {
      const { email, user } = await signUp(system());
      const statement = "update identity.account set password = null where user_id = $1";
      await rows().query(statement, user.id);
      expect(await setPassword(system(), { userId: user.id, newPassword })).toEqual(done);
      expect(await opens(system(), email, newPassword)).toBe(true);
    });

    const hasOne = errorResponse(400, "USER_ALREADY_HAS_A_PASSWORD", "user already has a password");

    test("replaces no existing password", async () => {
      const { email, user } = await signUp(system());
      expect(await setPassword(system(), { userId: user.id, newPassword })).toEqual(hasOne);
      expect(await opens(system(), email, password)).toBe(true);
    });

    test("one of 16 concurrent calls sets it", async () => {
      const { email, user } = await passwordless();
      const answers = await race((index) =>
        setPassword(system(), { userId: user.id, newPassword: `${newPassword} ${index}` }),
      );
      const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      expect(winners).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toEqual(hasOne);
      expect(await opens(system(), email, `${newPassword} ${winners[0]}`)).toBe(true);
    });

    test.each<[string, object, object]>([
      ["no user", { newPassword }, invalidInput],
      ["no password", { userId: "x" }, invalidInput],
      ["a password too short, whoever it is for", { userId: "x", newPassword: "short" }, tooShort],
      [
        "a password that is too long, for any user",
        { userId: "x", newPassword: "a".repeat(129) },
        tooLong,
      ],
      [
        "somebody unknown",
        { userId: "x", newPassword },
        { status: 404, body: { code: "USER_NOT_FOUND" } },
      ],
    ])("rejects %s", async (_case, sent, expected) => {
      const answer = await setPassword(system(), sent);
      if ("status" in expected && expected.status === 404)
        expect(answer.body).toMatchObject({ code: "USER_NOT_FOUND" });
      else expect(answer).toMatchObject(expected);
    });

    test("is for services only, and unreachable through the gateway", async () => {
      const { user } = await passwordless();
      const sent = { userId: user.id, newPassword };
      expect((await setPassword(system(), sent, "Bearer of nothing")).status).toBe(403);
      expect((await post(system(), "/set-password", sent)).status).toBe(404);
      expect((await post(system(), "/internal/set-password", sent)).status).toBe(404);
    });
  });
});

describe("with own options", () => {
  describe("resetPassword.enabled false", () => {
    const config = { emailAndPassword: { resetPassword: { enabled: false } } };
    withStack({ stores: "postgres", config }, (system) => {
      test("resets are rejected, after the check of the address", async () => {
        const { email } = await signUp(system());
        const off = errorResponse(
          400,
          "RESET_PASSWORD_ISNT_ENABLED",
          "Reset password isn't enabled",
        );
        for (const path of ["/request-password-reset", "/forget-password"]) {
          expect(await post(system(), path, { email })).toEqual(off);
          expect(await post(system(), path, { email: newEmail() })).toEqual(off);
          expect(await post(system(), path, {})).toMatchObject(invalidInput);
        }
      });
    });
  });

  describe("resetPasswordTokenExpiresIn and bounds of the length", () => {
    const config = {
      emailAndPassword: {
        resetPasswordTokenExpiresIn: 60,
        minPasswordLength: 12,
        maxPasswordLength: 24,
      },
    };
    withStack({ stores: "postgres", config }, (system, rows) => {
      test("a token has the configured lifetime", async () => {
        const { email, user } = await signUp(system());
        await mailedLink(system(), email);
        expect(
          await rows().query(
            `select extract(epoch from expires_at - created_at)::int as seconds
             from identity.verification where value = $1`,
            user.id,
          ),
        ).toEqual([{ seconds: 60 }]);
      });

      test("a new password must have the configured length, in every operation", async () => {
        const { browser, email, user } = await signUp(system());
        const token = await mailedToken(system(), email);
        for (const [chosen, expected] of [
          ["a".repeat(11), tooShort],
          ["a".repeat(25), tooLong],
        ] as const) {
          expect(await reset(system(), token, chosen)).toEqual(expected);
          const sent = { newPassword: chosen, currentPassword: password };
          expect(await readResponse(await browser.post("/change-password", sent))).toEqual(
            expected,
          );
          const set = { userId: user.id, newPassword: chosen };
          expect(await setPassword(system(), set)).toEqual(expected);
        }
      });
    });
  });
});

/** A cached session must not outlive its session. */
describe.each(variants)("with sessions in $where and cached in cookies", ({ stores }) => {
  const config = {
    session: { cookieCache: { enabled: true } },
    emailAndPassword: { revokeSessionsOnPasswordReset: true },
  };
  withStack({ stores, config }, (system) => {
    test("a reset ends the cached sessions too", async () => {
      const user = await signUp(system());
      const other = await anotherOf(system(), user);
      expect(other.cookies.has("auth.session_data")).toBe(true);
      expect(await reset(system(), await mailedToken(system(), user.email))).toEqual(done);
      for (const browser of [user.browser, other])
        expect(isSignedOut(await lookAfterEnd(system(), browser))).toBe(true);
    });

    test("a change ends the other cached sessions, and caches the new session", async () => {
      const user = await signUp(system());
      const other = await anotherOf(system(), user);
      const sent = { newPassword, currentPassword: password, revokeOtherSessions: true };
      const { status } = await user.browser.post("/change-password", sent);
      expect(status).toBe(200);
      expect(isSignedOut(await lookAfterEnd(system(), other))).toBe(true);
      const copy = user.browser.cookies.get("auth.session_data") ?? "";
      const { session: cached } = JSON.parse(Buffer.from(copy, "base64url").toString()) as {
        session: { session: { token: string } };
      };
      expect(cached.session.token).toBe(tokenIn(user.browser));
      expect(await lives(system(), user.browser)).toBe(true);
    });
  });
});

/** Attack: a person with a stolen backup or read access to a table chooses a user's password. */
describe.each(["hashed", "plain"] as const)("with verification.storeIdentifier %s", (form) => {
  const config = { verification: { storeIdentifier: form } };
  withStack({ stores: "postgres", config }, (system) => {
    let pool: ReturnType<typeof openPool>;
    beforeAll(() => {
      pool = openPool(system().databaseUrl);
    });
    afterAll(() => pool.end());

    test(`no table contains the token of a mailed link${form === "plain" ? ", except the one that is looked up" : ""}`, async () => {
      const { email } = await signUp(system());
      const token = await mailedToken(system(), email);
      const tables = await dumpPostgres(pool);
      expect(tables.get("identity.outbox")).toContain("password-reset.requested");
      expect(tables.get("identity.verification")).toContain("reset-password:");
      const forms = [
        token,
        Buffer.from(token).toString("hex"),
        Buffer.from(token).toString("base64"),
        Buffer.from(token).toString("base64url"),
      ];
      const holding = [...tables].flatMap(([table, text]) =>
        forms.some((form) => text.includes(form)) ? [table] : [],
      );
      expect(holding).toEqual(form === "plain" ? ["identity.verification"] : []);
      expect(await reset(system(), token)).toEqual(done);
    });

    test("a stored value is not usable as a token, unless tokens are stored as plain text", async () => {
      const { email, user } = await signUp(system());
      const token = await mailedToken(system(), email);
      const { rows } = await pool.query<{ identifier: string }>(
        "select identifier from identity.verification where value = $1",
        [user.id],
      );
      const identifier = rows[0]?.identifier ?? "";
      expect(identifier.startsWith("reset-password:")).toBe(true);
      const rest = identifier.slice("reset-password:".length);
      expect(rest === token).toBe(form === "plain");
      expect(await reset(system(), identifier)).toEqual(invalidToken);
      expect(await reset(system(), rest)).toEqual(form === "plain" ? done : invalidToken);
    });
  });
});
