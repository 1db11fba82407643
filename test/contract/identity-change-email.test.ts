import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue, signVerificationToken } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { Rows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { useSystem } from "../harness/use-system.ts";
import { impersonateInRows, newEmail, password, signUp, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const done = { status: 200, body: { status: true }, cookies: [] };
const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const couldnt = errorResponse(400, "COULDNT_UPDATE_YOUR_EMAIL", "Couldn't update your email");

/** The application's hook before a user is changed. */
let beforeUpdate: () => unknown = () => undefined;
afterEach(() => {
  beforeUpdate = () => undefined;
});

const configWith = (
  changeEmail: NonNullable<LatchkeyConfig["user"]>["changeEmail"],
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({
  databaseHooks: { user: { update: { before: async () => (await beforeUpdate()) as undefined } } },
  user: { changeEmail },
  ...own,
});

interface Got {
  session: { id: string };
  user: { email: string; emailVerified: boolean };
}

/** Requests of the tests to a system. */
const asking = (system: () => System, rows: () => Rows) => {
  const change = async (browser: BrowserLike, body: unknown) =>
    readResponse(await browser.post("/change-email", body));
  const open = (link: string, { browser }: Pick<TestUser, "browser">) =>
    browser.get(link.slice(system().url.length));
  const get = async (browser: BrowserLike) =>
    (await readResponse<Got>(await browser.get("/get-session"))).body;
  const emailOf = async (browser: BrowserLike) => (await get(browser)).user.email;
  const linkTo = async (email: string, subject: string) => {
    const mail = await system().smtp.waitForMail(
      (caught) => caught.to.includes(email) && caught.subject.startsWith(subject),
    );
    return mail.links[0] ?? "";
  };
  return {
    change,
    open,
    get,
    emailOf,
    /** Returns the link that asks the old address to confirm. */
    confirmationTo: (email: string) => linkTo(email, "Confirm your new email"),
    /** Returns the link that verifies an address. */
    verificationTo: (email: string) => linkTo(email, "Verify"),
    signInAgain: async (email: string) => {
      const browser = createBrowserLike(system().url);
      await browser.post("/sign-in/email", { email, password });
      return browser;
    },
    /** Signs up a user with a verified address. */
    verified: async () => {
      const person = await signUp(system());
      const token = await signVerificationToken(
        ring,
        { email: person.email },
        { now: new Date(), expiresInSeconds: 60 },
      );
      expect((await person.browser.get(`/verify-email?token=${token}`)).status).toBe(200);
      return person;
    },
    audited: async (action: string, userId: string) =>
      rows().query(
        "select actor_id, before, after from identity.audit where action = $1 and subject_id = $2",
        action,
        userId,
      ),
  };
};

const withStack = (
  config: LatchkeyConfig,
  tests: (system: () => System, actions: ReturnType<typeof asking>) => void,
): void => {
  const { system, rows } = useSystem({ stores: "postgres", config });
  tests(
    () => system,
    asking(
      () => system,
      () => rows,
    ),
  );
};

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, config: configWith({ enabled: true }) });
  const actions = asking(
    () => system,
    () => rows,
  );
  const { change, open, get, emailOf, confirmationTo, verificationTo } = actions;
  const { signInAgain, verified, audited } = actions;
  const countOf = async (email: string) =>
    (await rows.query(`select 1 from identity."user" where email = $1`, email)).length;

  describe("an unverified address", () => {
    test("is changed at once in every session, and the new one is mailed a verification link", async () => {
      const { browser, email, token, user } = await signUp(system);
      const other = await signInAgain(email);
      const next = newEmail();
      const { status, body, cookies } = await change(browser, {
        newEmail: next.toUpperCase(),
        callbackURL: "/done?a=1&b=2",
      });
      expect([status, body]).toEqual([200, { status: true }]);
      expect(cookies).toEqual([
        expect.stringMatching(/^auth\.session_token=[^;]+; Max-Age=60\d{4}; Path=\//),
      ]);
      expect(cookies[0]).toContain(`=${signValue(ring, token)};`);
      for (const holder of [browser, other])
        expect((await get(holder)).user).toMatchObject({ email: next, emailVerified: false });
      const opened = await open(await verificationTo(next), { browser });
      expect(opened.headers.get("location")).toBe("/done?a=1&b=2");
      expect((await get(other)).user.emailVerified).toBe(true);
      expect(await audited("user.email-replaced", user.id)).toMatchObject([
        { actor_id: user.id, before: null, after: { email: "changed" } },
      ]);
    });

    test("is available to others at once, and no longer reserved", async () => {
      const { browser, email } = await signUp(system);
      const next = newEmail();
      await change(browser, { newEmail: next });
      const again = createBrowserLike(system.url);
      expect((await again.post("/sign-in/email", { email, password })).status).toBe(401);
      expect((await again.post("/sign-in/email", { email: next, password })).status).toBe(200);
      const heir = await again.post("/sign-up/email", { name: "Eve", email, password });
      expect(heir.status).toBe(200);
    });

    // A mistyped address belongs to another person: links mailed to it must not open the account.
    test("invalidates the reset and verification links that were mailed to it", async () => {
      const { browser, email, user } = await signUp(system);
      const stranger = await signUp(system);
      const keep = (id: string, userId: string) =>
        rows.query(
          `insert into identity.verification (id, identifier, value, expires_at, created_at, updated_at)
           values ($1, $1, $2, now() + interval '1 hour', now(), now())`,
          id,
          userId,
        );
      await keep(`reset-password:${user.id}`, user.id);
      await keep(`delete-account-${user.id}`, user.id);
      await keep(`reset-password:${stranger.user.id}`, stranger.user.id);
      await browser.post("/send-verification-email", { email });
      const old = await verificationTo(email);
      await change(browser, { newEmail: newEmail() });
      const stored = await rows.query(
        `select value, split_part(identifier, ':', 1) as kind from identity.verification
         where value in ($1, $2) order by kind`,
        user.id,
        stranger.user.id,
      );
      expect(stored).toEqual([
        { value: stranger.user.id, kind: "reset-password" },
        { value: user.id, kind: "verify-email" }, // the link to the new address
      ]);
      const opened = await open(old, { browser });
      expect(opened.headers.get("location")).toBe("/?error=user_not_found");
      expect((await get(browser)).user.emailVerified).toBe(false);
    });

    test("is mailed a link if the application's hook has replaced it", async () => {
      const { browser, email } = await signUp(system);
      const chosen = newEmail();
      beforeUpdate = () => {
        beforeUpdate = () => undefined;
        return { data: { email: chosen } };
      };
      expect((await change(browser, { newEmail: newEmail() })).status).toBe(200);
      const opened = await open(await verificationTo(chosen), { browser });
      expect(opened.headers.get("location")).toBe("/");
      expect((await get(browser)).user).toMatchObject({ email: chosen, emailVerified: true });
      expect(await countOf(email)).toBe(0);
    });

    test("that is verified meanwhile is not changed without confirmation", async () => {
      const { browser, email, user } = await signUp(system);
      beforeUpdate = () => verifyAddress(rows, user.id);
      expect(await change(browser, { newEmail: newEmail() })).toEqual(couldnt);
      expect(await countOf(email)).toBe(1);
    });
  });

  describe("a verified address", () => {
    test("is changed after its confirmation, and the new one is verified by a second link", async () => {
      const { browser, email, token, user } = await verified();
      const other = await signInAgain(email);
      const next = newEmail();
      expect(await change(browser, { newEmail: next, callbackURL: "/done?a=1&b=2" })).toEqual(done);
      for (const holder of [browser, other])
        expect((await get(holder)).user).toMatchObject({ email, emailVerified: true });
      expect(await audited("email-change.requested", user.id)).toEqual([
        { actor_id: user.id, before: null, after: null },
      ]);

      const link = await confirmationTo(email);
      expect(new URL(link).searchParams.get("callbackURL")).toBe("/done?a=1&b=2");
      const opened = await open(link, { browser });
      expect([opened.status, opened.headers.get("location")]).toEqual([302, "/done?a=1&b=2"]);
      expect(opened.headers.getSetCookie()[0]).toContain(`=${signValue(ring, token)};`);
      for (const holder of [browser, other])
        expect((await get(holder)).user).toMatchObject({ email: next, emailVerified: false });

      await open(await verificationTo(next), { browser });
      for (const holder of [browser, other])
        expect((await get(holder)).user).toMatchObject({ email: next, emailVerified: true });
    });

    test("is asked in a mail that names the new address, which leads home by default", async () => {
      const { browser, email } = await verified();
      const next = newEmail();
      await change(browser, { newEmail: next });
      const link = await confirmationTo(email);
      const mail = await system.smtp.waitForMail((caught) => caught.links.includes(link));
      expect(mail.to).toEqual([email]);
      expect(mail.text).toContain(next);
      expect(new URL(link).pathname).toBe("/api/auth/verify-email");
      expect([...new URL(link).searchParams.keys()]).toEqual(["token", "callbackURL"]);
      expect(new URL(link).searchParams.get("callbackURL")).toBe("/");
    });

    // A reader of the old mailbox, or a user tricked into opening the link, must not be able to complete the change.
    test("can be changed by its own user only", async () => {
      const [ada, mallory] = [await verified(), await verified()];
      await change(ada.browser, { newEmail: newEmail() });
      const link = await confirmationTo(ada.email);
      for (const browser of [mallory.browser, createBrowserLike(system.url)]) {
        const opened = await open(link, { browser });
        expect(opened.headers.get("location")).toBe("/?error=unauthorized");
      }
      expect([await emailOf(ada.browser), await emailOf(mallory.browser)]).toEqual([
        ada.email,
        mallory.email,
      ]);
    });

    test("stays if the new one was taken meanwhile, as does its owner", async () => {
      const ada = await verified();
      const next = newEmail();
      await change(ada.browser, { newEmail: next });
      const link = await confirmationTo(ada.email);
      const grace = await signUp(system);
      await change(grace.browser, { newEmail: next });
      expect(await readResponse(await open(link, ada))).toEqual(couldnt);
      expect([await emailOf(ada.browser), await emailOf(grace.browser)]).toEqual([ada.email, next]);
    });

    test("confirms one of two changes, and the other link is then invalid", async () => {
      const { browser, email } = await verified();
      const [first, second] = [newEmail(), newEmail()];
      await change(browser, { newEmail: first });
      const firstLink = await confirmationTo(email);
      system.smtp.mails.length = 0;
      await change(browser, { newEmail: second });
      const secondLink = await confirmationTo(email);
      await open(secondLink, { browser });
      expect((await open(firstLink, { browser })).headers.get("location")).toBe(
        "/?error=user_not_found",
      );
      expect(await emailOf(browser)).toBe(second);
    });

    test("invalidates links mailed to it once it is replaced", async () => {
      const { browser, email, user } = await verified();
      await rows.query(
        `insert into identity.verification (id, identifier, value, expires_at, created_at, updated_at)
         values ($1, $1, $2, now() + interval '1 hour', now(), now())`,
        `reset-password:${user.id}`,
        user.id,
      );
      const storedTokens = async () =>
        rows.query(
          `select split_part(identifier, ':', 1) as kind from identity.verification
           where value = $1 order by kind`,
          user.id,
        );
      const [reset, link] = [{ kind: "reset-password" }, { kind: "verify-email" }];
      await change(browser, { newEmail: newEmail() });
      expect(await storedTokens()).toEqual([reset, link]);
      await open(await confirmationTo(email), { browser });
      expect(await storedTokens()).toEqual([link]); // the link to the new address
    });
  });

  test("one of 16 users who request one address concurrently gets it", async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => signUp(system)));
    const next = newEmail();
    const answers = await Promise.all(
      people.map(({ browser }) => change(browser, { newEmail: next })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toEqual(couldnt);
    expect(await countOf(next)).toBe(1);
    const emails = await Promise.all(people.map(({ browser }) => emailOf(browser)));
    expect(emails.filter((email) => email === next)).toHaveLength(1);
    const mails = await rows.query(
      "select 1 from identity.audit where action = 'verification.requested' and subject_id = any($1)",
      people.map(({ user }) => user.id),
    );
    expect(mails).toHaveLength(1);
  });

  describe("rejects", () => {
    test("the current address, in any case", async () => {
      for (const { browser, email } of [await signUp(system), await verified()])
        expect(await change(browser, { newEmail: email.toUpperCase() })).toEqual(
          errorResponse(400, "EMAIL_IS_THE_SAME", "Email is the same"),
        );
    });

    test("an address that another user has, in any case, whether one's own is verified or not", async () => {
      const { email: takenEmail } = await signUp(system);
      for (const { browser, user } of [await signUp(system), await verified()]) {
        expect(await change(browser, { newEmail: takenEmail.toUpperCase() })).toEqual(couldnt);
        expect(await audited("email-change.requested", user.id)).toEqual([]);
      }
    });

    test("an address that is linked to a provider account, whose owner would be locked out", async () => {
      for (const { browser } of [await signUp(system), await verified()])
        expect(await change(browser, { newEmail: "1@Twitter.invalid" })).toEqual(
          errorResponse(400, "INVALID_EMAIL", "Invalid email"),
        );
    });

    test.each([
      {},
      { newEmail: null },
      { newEmail: "ada" },
      { newEmail: "a@b" },
      { newEmail: "a @c.co" },
      { newEmail: `${"a".repeat(320)}@c.co` },
      [],
    ])("the body %j, before authentication", async (body) => {
      const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
      expect(await change(createBrowserLike(system.url), body)).toMatchObject(expected);
      expect(await change((await signUp(system)).browser, body)).toMatchObject(expected);
    });

    test("callers without a session, or with an ended one", async () => {
      const body = { newEmail: newEmail() };
      expect(await change(createBrowserLike(system.url), body)).toEqual(unauthorized);
      const { browser } = await signUp(system);
      const cookies = new Map(browser.cookies);
      await browser.post("/sign-out");
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      expect(await change(browser, body)).toEqual(unauthorized);
      expect(await countOf(body.newEmail)).toBe(0);
    });

    test("an untrusted callback URL", async () => {
      const { browser, email } = await signUp(system);
      const body = { newEmail: newEmail(), callbackURL: "https://evil.example" };
      expect(await change(browser, body)).toEqual(
        errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
      );
      expect(await emailOf(browser)).toBe(email);
    });

    test("a change that the application vetoes", async () => {
      const { browser, email } = await signUp(system);
      beforeUpdate = () => false;
      expect(await change(browser, { newEmail: newEmail() })).toEqual(
        errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user"),
      );
      expect(await emailOf(browser)).toBe(email);
    });
  });

  if (stores === "postgres")
    // With an address of their own, an admin could keep the account permanently, by a link to set a password.
    test("an admin who impersonates a user cannot change the address, even with its confirmation", async () => {
      const [plain, proven] = [await signUp(system), await verified()];
      await change(proven.browser, { newEmail: newEmail() });
      for (const { user, browser, email } of [plain, proven]) {
        await impersonateInRows(system, rows, user.id);
        const answer = await change(browser, { newEmail: newEmail() });
        expect(answer).toEqual(errorResponse(403, "FORBIDDEN", "Forbidden"));
        expect(await emailOf(browser)).toBe(email);
      }
      await open(await confirmationTo(proven.email), proven);
      expect(await emailOf(proven.browser)).toBe(proven.email);
      expect(await audited("user.email-replaced", proven.user.id)).toEqual([]);
    });
});

describe("with user.changeEmail off, the default", () => {
  withStack(configWith({}), (system, { change, emailOf }) => {
    test("rejects every change of address", async () => {
      const disabled = errorResponse(400, "CHANGE_EMAIL_IS_DISABLED", "Change email is disabled");
      const { browser, email } = await signUp(system());
      for (const wanted of [newEmail(), email])
        expect(await change(browser, { newEmail: wanted })).toEqual(disabled);
      expect(await emailOf(browser)).toBe(email);
      expect(await change(createBrowserLike(system().url), { newEmail: newEmail() })).toEqual(
        unauthorized,
      );
    });
  });
});

describe("with user.changeEmail.confirmByMail off", () => {
  withStack(
    configWith({ enabled: true, confirmByMail: false }),
    (system, { change, emailOf, verified }) => {
      test("rejects the change of a verified address, but not of an unverified one", async () => {
        const { browser, email } = await verified();
        expect(await change(browser, { newEmail: newEmail() })).toEqual(
          errorResponse(400, "VERIFICATION_EMAIL_ISNT_ENABLED", "Verification email isn't enabled"),
        );
        expect(await emailOf(browser)).toBe(email);
        const plain = await signUp(system());
        expect((await change(plain.browser, { newEmail: newEmail() })).status).toBe(200);
      });

      test("reports a taken address first", async () => {
        const { browser } = await verified();
        const { email } = await signUp(system());
        expect(await change(browser, { newEmail: email })).toEqual(couldnt);
      });
    },
  );
});

describe("with emailVerification off", () => {
  withStack(
    configWith({ enabled: true }, { emailVerification: { enabled: false } }),
    (system, { change, emailOf, audited }) => {
      test("changes an unverified address without a mail", async () => {
        const { browser, user } = await signUp(system());
        const next = newEmail();
        expect((await change(browser, { newEmail: next })).status).toBe(200);
        expect(await emailOf(browser)).toBe(next);
        expect(await audited("verification.requested", user.id)).toEqual([]);
      });
    },
  );
});
