import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { newNumber } from "../harness/text-messages.ts";
import { useSystem } from "../harness/use-system.ts";
import { password } from "../harness/users.ts";

expectNoLeaks("file");

/** The store of sessions, and whether sign-in requires a verified address. One of them hashes passwords as in production. */
const places = [
  { stores: "postgres", requireEmailVerification: true, passwords: "real" },
  { stores: "redis", requireEmailVerification: false, passwords: undefined },
] as const;

/** Statements that prepare a signed-up user by id. The first kind has none. */
const kinds = {
  "with a verified address": `update identity."user" set email_verified = true where id = $1`,
  "with an unverified address": undefined,
  "without a password account": "delete from identity.account where user_id = $1",
  "whose account has no password": "update identity.account set password = null where user_id = $1",
  "with an account at a provider alone": `update identity.account
    set provider_id = 'github', password = null where user_id = $1`,
  "with a second factor": `with app as (
      insert into identity.two_factor (user_id, secret_sealed, enabled_at) values ($1, 'sealed', now()))
    update identity."user" set two_factor_enabled = true, email_verified = true where id = $1`,
  "with a passkey": `insert into identity.passkey
    (id, user_id, credential_id, public_key, counter, device_type, backed_up, aaguid, user_verified, created_at)
    values ('a passkey', $1, 'credential', 'key', 0, 'singleDevice', false, '', true, now())`,
  "who is banned": `update identity."user" set banned = true, email_verified = true where id = $1`,
  "who was banned for a time that is over": `update identity."user"
    set banned = true, ban_expires = now() - interval '1 hour' where id = $1`,
  "who is an admin": `update identity."user" set role = 'admin', email_verified = true where id = $1`,
} as const;

interface Asked {
  email: string;
  username: string;
  phoneNumber: string;
}

let count = 0;

/** Returns an unused address, username and phone number. */
const newName = (): Asked => {
  count += 1;
  return {
    email: `person-${count}@example.com`,
    username: `person_${count}`,
    phoneNumber: newNumber(),
  };
};

interface Question {
  path: string;
  body: (identifiers: Asked) => object;
}

const wrong = "no password of anybody";

/** Requests that need neither a password nor a session. */
const questions: Record<string, Question> = {
  "a sign-in by address": {
    path: "/sign-in/email",
    body: ({ email }) => ({ email, password: wrong }),
  },
  "a sign-in by address, with a place to go": {
    path: "/sign-in/email",
    body: ({ email }) => ({ email, password: wrong, callbackURL: "/x", rememberMe: false }),
  },
  "a sign-in by an address in other letters": {
    path: "/sign-in/email",
    body: ({ email }) => ({ email: email.toUpperCase(), password: wrong }),
  },
  "a sign-in with an empty password": {
    path: "/sign-in/email",
    body: ({ email }) => ({ email, password: "" }),
  },
  "a sign-in with a password that is too long for anybody": {
    path: "/sign-in/email",
    body: ({ email }) => ({ email, password: "x".repeat(10_000) }),
  },
  "a sign-in by username": {
    path: "/sign-in/username",
    body: ({ username }) => ({ username, password: wrong }),
  },
  "a sign-in by a username in other letters": {
    path: "/sign-in/username",
    body: ({ username }) => ({ username: username.toUpperCase(), password: wrong }),
  },
  "a request for a password reset": {
    path: "/request-password-reset",
    body: ({ email }) => ({ email, redirectTo: "/reset" }),
  },
  "a request for a password reset by its older name": {
    path: "/forget-password",
    body: ({ email }) => ({ email }),
  },
  "a request for a verification mail": {
    path: "/send-verification-email",
    body: ({ email }) => ({ email, callbackURL: "/x" }),
  },
  "a request for a sign-in link": {
    path: "/sign-in/magic-link",
    body: ({ email }) => ({ email, callbackURL: "/x" }),
  },
  "a request for a sign-in code": {
    path: "/email-otp/send-verification-otp",
    body: ({ email }) => ({ email, type: "sign-in" }),
  },
  "a request for a verification code": {
    path: "/email-otp/send-verification-otp",
    body: ({ email }) => ({ email, type: "email-verification" }),
  },
  "a request for a reset code": {
    path: "/email-otp/request-password-reset",
    body: ({ email }) => ({ email }),
  },
  "a sign-in by a wrong code": {
    path: "/sign-in/email-otp",
    body: ({ email }) => ({ email, otp: "no code" }),
  },
  "a reset by a wrong code": {
    path: "/email-otp/reset-password",
    body: ({ email }) => ({ email, otp: "no code", password }),
  },
  "a sign-in by phone number": {
    path: "/sign-in/phone-number",
    body: ({ phoneNumber }) => ({ phoneNumber, password: wrong }),
  },
  "a request for a code by text message": {
    path: "/phone-number/send-otp",
    body: ({ phoneNumber }) => ({ phoneNumber }),
  },
  "a request for a reset code by text message": {
    path: "/phone-number/request-password-reset",
    body: ({ phoneNumber }) => ({ phoneNumber }),
  },
  "a sign-in by a wrong code of a text message": {
    path: "/phone-number/verify",
    body: ({ phoneNumber }) => ({ phoneNumber, code: "no code" }),
  },
  "a reset by a wrong code of a text message": {
    path: "/phone-number/reset-password",
    body: ({ phoneNumber }) => ({ phoneNumber, otp: "no code", newPassword: password }),
  },
};

/** Removes the random value that identifies a browser without a session. */
const withoutValue = (text: string) =>
  text.replace(/(auth\.(?:mailed_link|magic_link|email_otp|phone_otp)=)[^;]+/, "$1");

/** Headers that differ in each answer, independent of the user. */
const random = new Set(["x-request-id", "date"]);

describe.each(places)(
  "with sessions in $stores, verification required: $requireEmailVerification",
  (place) => {
    const people = new Map<string, Asked>();

    const signUp = async (statement: string | undefined): Promise<Asked> => {
      const identifiers = newName();
      const browser = createBrowserLike(system.url);
      const { phoneNumber, ...names } = identifiers;
      const answer = await browser.post("/sign-up/email", { name: "Ada", password, ...names });
      expect(answer.status).toBe(200);
      const { user } = (await answer.json()) as { user: { id: string } };
      const number = "phone_number = $2, phone_number_verified = true";
      await rows.query(`update identity."user" set ${number} where id = $1`, user.id, phoneNumber);
      if (statement !== undefined) await rows.query(statement, user.id);
      return identifiers;
    };

    const answerTo = async ({ path, body }: Question, identifiers: Asked) => {
      const answer = await createBrowserLike(system.url).post(path, body(identifiers));
      return {
        status: answer.status,
        body: await answer.text(),
        headers: [...answer.headers].map(([name, value]) =>
          random.has(name) ? [name] : [name, withoutValue(value)],
        ),
        cookies: answer.headers.getSetCookie().map(withoutValue),
      };
    };

    const { stores, requireEmailVerification, passwords } = place;
    const { system, rows } = useSystem({
      stores,
      ...(passwords && { passwords }),
      config: {
        logger: { disabled: true },
        emailAndPassword: { requireEmailVerification },
        emailVerification: { sendOnSignUp: false },
        magicLink: { enabled: true, disableSignUp: true },
        emailOTP: { enabled: true, disableSignUp: true },
        phoneNumber: { enabled: true, allowedCountries: ["DE"], passwordReset: { enabled: true } },
        session: { cookieCache: { enabled: true } },
        // Limits mails but not requests.
        rateLimit: { enabled: true, customRules: { "/**": false } },
      },
    });
    beforeAll(async () => {
      for (const [kind, statement] of Object.entries(kinds))
        people.set(kind, await signUp(statement));
    });

    /** Attack: finding out who has an account by requesting each address of a list. */
    // A real hash takes longer than all else, so each operation that computes one is called once with it.
    const hashed = /^a sign-in by (?:address|username)$|too long/;
    const tried = Object.entries(questions).filter(
      ([name, { path }]) =>
        passwords !== "real" ||
        hashed.test(name) ||
        !["/sign-in/email", "/sign-in/username"].includes(path),
    );
    test.each(tried)(
      "%s gets the same answer for known and unknown users",
      async (_name, question) => {
        const unknown = await answerTo(question, newName());
        expect([200, 400, 401]).toContain(unknown.status);
        const answers = [...people].map(
          async ([kind, identifiers]) => [kind, await answerTo(question, identifiers)] as const,
        );
        expect(await Promise.all(answers)).toEqual(
          Object.keys(kinds).map((kind) => [kind, unknown]),
        );
      },
    );
  },
);
