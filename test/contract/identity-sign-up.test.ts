import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { followLink, linkCookie } from "../harness/mailed-links.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const callers = 16;
const randomText = expect.stringMatching(/^[A-Za-z0-9]{32}$/);
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Returns a body with an address that no other test uses. */
const validBody = () => ({ name: "Ada", email: newEmail(), password });

const invalidBody = (...fields: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
    issues: fields.map((path) => ({ path, message: expect.any(String) as string })),
  },
  cookies: [],
});

const countMailsAsked = async (rows: Rows) =>
  (await rows.query("select 1 from identity.audit where action = 'verification.requested'")).length;

describe.each(matrix("postgres", "redis"))("sign-up with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores });
  const signUp = (body: unknown, headers?: Record<string, string>) =>
    createBrowserLike(system.url).post("/sign-up/email", body, headers);

  test("returns the session's token and the seven fields of the user, and signs in", async () => {
    const email = newEmail();
    const browser = createBrowserLike(system.url);
    const response = await browser.post("/sign-up/email", { name: "Ada", email, password });
    expect(response.headers.get("content-type")).toBe("application/json");
    const { status, body, cookies } = await readResponse(response);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      token: randomText,
      user: {
        id: randomText,
        name: "Ada",
        email,
        emailVerified: false,
        image: null,
        createdAt: isoTime,
        updatedAt: isoTime,
      },
    });
    const { token, user } = body as { token: string; user: { id: string } };
    const signed = signValue(ring, token);
    expect(cookies).toEqual([
      `auth.session_token=${signed}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    expect(response.headers.get("set-auth-token")).toBe(signed);
    expect(response.headers.get("access-control-expose-headers")).toBe("set-auth-token");
    expect(await (await browser.get("/get-session")).json()).toMatchObject({
      session: { token, userId: user.id },
      user,
    });
  });

  test("with rememberMe false the session lives one day and ends with the browser", async () => {
    const browser = createBrowserLike(system.url);
    const response = await browser.post("/sign-up/email", { ...validBody(), rememberMe: false });
    const { cookies } = await readResponse(response);
    expect(cookies).toEqual([
      expect.stringMatching(/^auth\.session_token=[^;]+; Path=\//),
      expect.stringMatching(/^auth\.dont_remember=[^;]+; Path=\//),
    ]);
    const { session } = (await (await browser.get("/get-session")).json()) as {
      session: { expiresAt: string; createdAt: string };
    };
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000);
  });

  test("stores the address in lower case", async () => {
    const email = newEmail();
    const { body } = await readResponse(
      await signUp({ ...validBody(), email: email.toUpperCase() }),
    );
    expect(body).toMatchObject({ user: { email } });
  });

  test.each([
    ["an empty name", { name: "" }, { name: "" }],
    ["a picture", { image: "https://example.com/a.png" }, { image: "https://example.com/a.png" }],
    ["a safe place to go", { callbackURL: "/welcome?a=1" }, {}],
    ["members that are not for users to set", { emailVerified: true, id: "mine" }, {}],
  ])("accepts %s", async (_, sent, shown) => {
    const { status, body } = await readResponse(await signUp({ ...validBody(), ...sent }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { emailVerified: false, id: randomText, ...shown } });
  });

  test("accepts a form like JSON", async () => {
    const response = await fetch(`${system.url}/sign-up/email`, {
      method: "POST",
      body: new URLSearchParams(validBody()),
    });
    expect(response.status).toBe(200);
  });

  test.each([
    ["no name", { name: undefined }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name with NUL", { name: "a\0b" }, "name"],
    ["no address", { email: undefined }, "email"],
    ["no password", { password: undefined }, "password"],
    ["a password that is a number", { password: 12345678 }, "password"],
    ["a picture that is null", { image: null }, "image"],
  ])("rejects %s and names it without its value", async (_, sent, field) => {
    expect(await readResponse(await signUp({ ...validBody(), ...sent }))).toEqual(
      invalidBody(field),
    );
  });

  const json = { "content-type": "application/json" };
  test.each([
    ["nothing", undefined, json],
    ["broken JSON", '{"name":', json],
    ["a list", "[]", json],
    ["null", "null", json],
    ["JSON of no media type that is ours", "{}", { "content-type": "application/vnd.api+json" }],
    ["plain text", "{}", { "content-type": "text/plain" }],
  ])("rejects a body of %s", async (_, body, headers) => {
    const response = await fetch(`${system.url}/sign-up/email`, {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(await readResponse(response)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", message: "Invalid body parameters" },
    });
  });

  test.each([
    "",
    "ada",
    "a@b",
    "a@b.c",
    "a@c.c0",
    "é@c.co",
    "a&b@c",
    "a b@c.co",
    "a@[1.2.3.4]",
    ".a@c.co",
    "a.@c.co",
    "a..b@c.co",
    42,
    null,
    ["a@c.co"],
    { a: 1 },
    "1@twitter.invalid",
    "1@TWITTER.INVALID",
  ])("rejects the address %j", async (email) => {
    expect(await readResponse(await signUp({ ...validBody(), email }))).toEqual(
      errorResponse(400, "INVALID_EMAIL", "Invalid email"),
    );
  });

  test.each([
    `a'b${stores}@c.co`,
    `a+b${stores}@c.co`,
    `${stores}@c-.co`,
    `A_1-x.${stores}@B.c.Co`,
    ...["&", "=", "%", "!", "/"].map((letter) => `a${letter}b-${stores}@c.co`),
  ])("accepts the address %s", async (email) => {
    expect((await signUp({ ...validBody(), email })).status).toBe(200);
  });

  test.each([
    ["7 units", "1234567", errorResponse(400, "PASSWORD_TOO_SHORT", "Password too short")],
    ["nothing", "", errorResponse(400, "PASSWORD_TOO_SHORT", "Password too short")],
    ["129 units", "x".repeat(129), errorResponse(400, "PASSWORD_TOO_LONG", "Password too long")],
  ])("rejects a password of %s", async (_, own, expected) => {
    expect(await readResponse(await signUp({ ...validBody(), password: own }))).toEqual(expected);
  });

  test.each([
    ["8 units", "k7 q2 9x"],
    ["128 units", "x".repeat(128)],
    ["4 characters that are 2 units each", "𝒜𝒷𝒸𝒹"],
  ])("accepts a password of %s", async (_, own) => {
    expect((await signUp({ ...validBody(), password: own })).status).toBe(200);
  });

  test("an address is unique in any case", async () => {
    const body = validBody();
    expect((await signUp(body)).status).toBe(200);
    const expected = errorResponse(422, "USER_ALREADY_EXISTS", "User already exists");
    expect(await readResponse(await signUp(body))).toEqual(expected);
    expect(await readResponse(await signUp({ ...body, email: body.email.toUpperCase() }))).toEqual(
      expected,
    );
  });

  test("a domain in Unicode is stored in ASCII, and either form is the same address", async () => {
    const local = newEmail().split("@")[0] ?? "";
    const [unicode, ascii] = [`${local}@Müller.example`, `${local}@xn--mller-kva.example`];
    const signedUp = await readResponse(await signUp({ ...validBody(), email: ` ${unicode} ` }));
    expect(signedUp).toMatchObject({ status: 200, body: { user: { email: ascii } } });
    const signIn = async (email: string) =>
      (await createBrowserLike(system.url).post("/sign-in/email", { email, password })).status;
    expect(await Promise.all([unicode, ascii, ` ${ascii.toUpperCase()}`].map(signIn))).toEqual([
      200, 200, 200,
    ]);
    expect((await signUp({ ...validBody(), email: ascii })).status).toBe(422);
  });

  test("reports the first of several errors in the documented order", async () => {
    const existing = validBody();
    await signUp(existing);
    const bad = { ...existing, email: "no", password: "1" };
    expect((await readResponse(await signUp({ ...bad, name: 1 }))).body).toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect((await readResponse(await signUp(bad))).body).toMatchObject({ code: "INVALID_EMAIL" });
    expect((await readResponse(await signUp({ ...existing, password: "1" }))).body).toMatchObject({
      code: "PASSWORD_TOO_SHORT",
    });
    expect(
      (await readResponse(await signUp({ ...existing, password: "1".repeat(200) }))).body,
    ).toMatchObject({
      code: "PASSWORD_TOO_LONG",
    });
  });

  test.each(["https://evil.example", "//evil.example", "javascript:alert(1)", "/a#b", "/%2f"])(
    "rejects the callback URL %s",
    async (callbackURL) => {
      const body = validBody();
      expect(await readResponse(await signUp({ ...body, callbackURL }))).toEqual(
        errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
      );
      expect(
        await rows.query('select 1 from identity."user" where email = $1', body.email),
      ).toEqual([]);
    },
  );

  test("sends no mail unless an option enables it", async () => {
    const before = await countMailsAsked(rows);
    await signUp(validBody());
    expect(await countMailsAsked(rows)).toBe(before);
  });

  test("one of 16 concurrent sign-ups with one address creates a user, and the others get an error", async () => {
    const body = validBody();
    const answers = await Promise.all(
      Array.from({ length: callers }, async () => readResponse(await signUp(body))),
    );
    const made = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(made).toHaveLength(1);
    expect(refused).toEqual(
      Array.from({ length: callers - 1 }, () =>
        errorResponse(422, "USER_ALREADY_EXISTS", "User already exists"),
      ),
    );
    const [user, ...more] = await rows.query(
      'select id from identity."user" where email = $1',
      body.email,
    );
    expect(more).toEqual([]);
    const accounts = await rows.query(
      "select 1 from identity.account where user_id = $1",
      user?.["id"],
    );
    expect(accounts).toHaveLength(1);
    const audit = await rows.query(
      "select 1 from identity.audit where action = 'user.created' and subject_id = $1",
      user?.["id"],
    );
    expect(audit).toHaveLength(1);
  });
});

/** Runs a system with these options for a group of tests. */
const withOptions = (config: LatchkeyConfig, tests: (system: () => System) => void) => () => {
  const { system } = useSystem({ stores: "postgres", config });
  tests(() => system);
};

describe.each([
  ["emailAndPassword.enabled false", { enabled: false }],
  ["emailAndPassword.disableSignUp", { disableSignUp: true }],
])("with %s", (_, emailAndPassword) => {
  describe(
    "sign-up",
    withOptions({ emailAndPassword }, (system) => {
      test.each([
        ["a good one", {}],
        ["one with a bad address", { email: "no" }],
        ["one with a short password", { password: "1" }],
      ])("rejects %s", async (_name, sent) => {
        const browser = createBrowserLike(system().url);
        const response = await browser.post("/sign-up/email", { ...validBody(), ...sent });
        expect(await readResponse(response)).toEqual(
          errorResponse(
            400,
            "EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED",
            "Email and password sign up is not enabled",
          ),
        );
      });
    }),
  );
});

describe(
  "with autoSignIn off, custom password bounds and hash, and the mail at sign-up that magic links make the default",
  withOptions(
    {
      emailAndPassword: {
        autoSignIn: false,
        minPasswordLength: 4,
        maxPasswordLength: 6,
        password: {
          hash: async (text) => `own ${[...text].reverse().join("")}`,
          verify: async ({ hash, password: text }) =>
            hash === `own ${[...text].reverse().join("")}`,
        },
      },
      magicLink: { enabled: true },
    },
    (system) => {
      const signUp = (body: unknown) =>
        createBrowserLike(system().url).post("/sign-up/email", body);

      test("sign-up returns no token and sets only the cookie of the link", async () => {
        const response = await signUp({ ...validBody(), password: "12345" });
        expect(response.headers.has("set-auth-token")).toBe(false);
        expect(await readResponse(response)).toMatchObject({
          status: 200,
          body: { token: null, user: { emailVerified: false } },
          cookies: [linkCookie],
        });
      });

      test.each([
        ["123", 400],
        ["1234", 200],
        ["123456", 200],
        ["1234567", 400],
      ])("the password %s gets status %i", async (own, status) => {
        expect((await signUp({ ...validBody(), password: own })).status).toBe(status);
      });

      test("the application's own hash is stored, and its check decides a sign-in", async () => {
        const email = newEmail();
        await signUp({ name: "Ada", email, password: "abcd" });
        const rows = openRows(system());
        const stored = await rows.query(
          'select a.password from identity.account a join identity."user" u on u.id = a.user_id where u.email = $1',
          email,
        );
        await rows.close();
        expect(stored).toEqual([{ password: "own dcba" }]);
        const browser = createBrowserLike(system().url);
        const signIn = (own: string) =>
          browser.post("/sign-in/email", { email, password: own }).then(({ status }) => status);
        expect([await signIn("abcd"), await signIn("dcba")]).toEqual([200, 401]);
      });

      test("the mail verifies the address and then redirects to the callback URL", async () => {
        const email = newEmail();
        await signUp({ name: "Ada", email, password: "12345", callbackURL: "/in?a=1&b=2" });
        const mail = await system().smtp.waitForMail(email);
        const link = new URL(mail.links[0] ?? "");
        expect(link.origin + link.pathname).toBe(`${system().url}/verify-email`);
        expect(link.searchParams.get("callbackURL")).toBe("/in?a=1&b=2");
        const browser = createBrowserLike(system().url);
        const opened = await browser.get(link.href.slice(system().url.length));
        expect([opened.status, opened.headers.get("location")]).toEqual([302, "/in?a=1&b=2"]);
      });

      test("without a callback URL the mail leads to the start page", async () => {
        const email = newEmail();
        await signUp({ name: "Ada", email, password: "12345" });
        const mail = await system().smtp.waitForMail(email);
        expect(new URL(mail.links[0] ?? "").searchParams.get("callbackURL")).toBe("/");
      });
    },
  ),
);

describe(
  "with requireEmailVerification",
  withOptions({ emailAndPassword: { requireEmailVerification: true } }, (system) => {
    test("sign-up creates no session and mails a link, which works directly in that browser", async () => {
      const body = validBody();
      const browser = createBrowserLike(system().url);
      const response = await browser.post("/sign-up/email", body);
      expect(await readResponse(response)).toMatchObject({
        status: 200,
        body: { token: null, user: { email: body.email } },
        cookies: [linkCookie],
      });
      const mail = await system().smtp.waitForMail(body.email);
      expect(mail.links[0]).toContain(`${system().url}/verify-email?token=`);
      expect((await followLink(mail.links[0] ?? "", { browser })).status).toBe(302);
    });
  }),
);

describe(
  "with emailVerification.enabled false and sendOnSignUp",
  withOptions({ emailVerification: { enabled: false, sendOnSignUp: true } }, (system) => {
    test("sign-up succeeds without a mail", async () => {
      const rows = openRows(system());
      const response = await createBrowserLike(system().url).post("/sign-up/email", validBody());
      const mailCount = await countMailsAsked(rows);
      await rows.close();
      expect([response.status, mailCount]).toEqual([200, 0]);
    });
  }),
);
