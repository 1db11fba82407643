import type { LatchkeyConfig } from "@latchkey/contracts";
import { createSecretRing, signValue } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import type { System } from "../harness/start-system.ts";
import { testSecret } from "../harness/stores.ts";
import { newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { followLink, linkCookie } from "../harness/mailed-links.ts";

expectNoLeaks("file");

const ring = createSecretRing([testSecret]);
const attributes = "Path=/; HttpOnly; SameSite=Lax";

/** How often a password was hashed or compared. */
let hashWork = 0;
/** The application's hooks, reset after each test. */
let hooked: {
  userCreate?: () => unknown;
  userUpdate?: () => unknown;
  sessionCreate?: () => unknown;
} = {};
afterEach(() => {
  hooked = {};
});

const config: LatchkeyConfig = {
  logger: { disabled: true },
  emailAndPassword: {
    password: {
      hash: async (text) => {
        hashWork += 1;
        return `test ${text}`;
      },
      verify: async ({ hash, password: text }) => {
        hashWork += 1;
        return hash === `test ${text}`;
      },
    },
  },
  databaseHooks: {
    user: {
      create: { before: () => hooked.userCreate?.() as undefined },
      update: { before: () => hooked.userUpdate?.() as undefined },
    },
    session: { create: { before: () => hooked.sessionCreate?.() as undefined } },
  },
};

const wrong = errorResponse(401, "INVALID_USERNAME_OR_PASSWORD", "invalid username or password");
const usernameTaken = errorResponse(
  422,
  "USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER",
  "username is already taken. please try another.",
);
const tooShort = errorResponse(422, "USERNAME_IS_TOO_SHORT", "username is too short");
const tooLong = errorResponse(422, "USERNAME_IS_TOO_LONG", "username is too long");
const invalid = errorResponse(422, "USERNAME_IS_INVALID", "username is invalid");

let count = 0;
/** Returns an unused username with capitals, as users type them. */
const newUsername = () => `Ada_${(count += 1)}.L`;

interface Got {
  user: { id: string; name: string; username?: string | null; displayUsername?: string | null };
}

/** Requests of the tests to a system. */
const speakTo = (system: () => System) => {
  const browse = () => createBrowserLike(system().url);
  return {
    browse,
    post: async (path: string, body: unknown, browser = browse()) =>
      readResponse<{ token: string; user: { id: string } }>(await browser.post(path, body)),
    get: async (browser: BrowserLike) => {
      const response = await browser.get("/get-session");
      return ((await response.json()) as Got | null)?.user;
    },
    /** Signs up a user with a username. */
    join: async (username = newUsername()) => {
      const [browser, email] = [browse(), newEmail()];
      const body = { name: "Ada", email, password, username };
      const { status, body: reply } = await readResponse<{ user: { id: string } }>(
        await browser.post("/sign-up/email", body),
      );
      expect(status).toBe(200);
      return { browser, email, username, id: reply.user.id };
    },
  };
};

const withStack = (own: Omit<LatchkeyConfig, "databaseHooks">, stores: "postgres" | "redis") => {
  const { system, rows } = useSystem({ stores, config: { ...config, ...own } });
  return {
    ...speakTo(() => system),
    system: () => system,
    query: (text: string, ...values: unknown[]) => rows.query(text, ...values),
  };
};

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { browse, post, get, join, query } = withStack({}, stores);

  describe("sign-up", () => {
    test("stores the username in lower case and as typed, and the session shows both", async () => {
      const { browser, username } = await join();
      expect(await get(browser)).toMatchObject({
        username: username.toLowerCase(),
        displayUsername: username,
      });
    });

    test("returns the seven fields of every sign-up", async () => {
      const body = { name: "Ada", email: newEmail(), password, username: newUsername() };
      const { body: reply } = await post("/sign-up/email", body);
      expect(Object.keys(reply.user).toSorted()).toEqual(
        ["createdAt", "email", "emailVerified", "id", "image", "name", "updatedAt"].toSorted(),
      );
    });

    test.each([
      [{ displayUsername: "The Ada" }, "The Ada"],
      [{ displayUsername: "" }, "typed"],
      [{}, "typed"],
    ])("with %j shows %j as the display name", async (sent, shown) => {
      const [browser, username] = [browse(), newUsername()];
      await browser.post("/sign-up/email", {
        name: "Ada",
        email: newEmail(),
        password,
        username,
        ...sent,
      });
      expect((await get(browser))?.displayUsername).toBe(shown === "typed" ? username : shown);
    });

    test("works without a username, with a display name or without", async () => {
      for (const sent of [{}, { displayUsername: "Ada" }]) {
        const browser = browse();
        await browser.post("/sign-up/email", { name: "Ada", email: newEmail(), password, ...sent });
        const user = await get(browser);
        expect([user?.username, user?.displayUsername]).toEqual([
          null,
          sent.displayUsername ?? null,
        ]);
      }
    });

    test.each([
      ["", tooShort],
      ["ab", tooShort],
      ["x".repeat(31), tooLong],
      ["x".repeat(100_000), tooLong],
      ["a b", invalid],
      ["a-b", invalid],
      ["ada@example.com", invalid],
      ["a\0da", invalid],
    ])("rejects the username %j before anything else", async (username, refused) => {
      expect(await post("/sign-up/email", { username, email: 1 })).toEqual(refused);
    });

    test("rejects a username that exists, however it is spelt", async () => {
      const { username } = await join();
      for (const other of [username, username.toLowerCase(), username.toUpperCase()])
        expect(await post("/sign-up/email", { username: other })).toEqual(usernameTaken);
    });

    test.each([5, null, ["ada"], { $ne: "" }])(
      "rejects a username that is not text: %j",
      async (username) => {
        const body = { name: "Ada", email: newEmail(), password, username };
        expect(await post("/sign-up/email", body)).toMatchObject({
          status: 400,
          body: { code: "VALIDATION_ERROR", issues: [{ path: "username" }] },
        });
      },
    );

    test("one of 16 concurrent calls for one username succeeds, and the others leave no data", async () => {
      const username = newUsername();
      const emails = Array.from({ length: 16 }, newEmail);
      const answers = await Promise.all(
        emails.map((email, index) =>
          post("/sign-up/email", {
            name: "Ada",
            email,
            password,
            username: index % 2 === 0 ? username : username.toUpperCase(),
          }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array.from({ length: 15 }, () => usernameTaken),
      );
      const users = await query(`select id from identity."user" where email = any($1)`, emails);
      expect(users).toEqual([{ id: won[0]?.body.user.id }]);
      const orphans = await query(
        `select 1 from identity.account a where not exists
           (select 1 from identity."user" u where u.id = a.user_id)
         union all select 1 from identity.audit where action = 'user.created' and not exists
           (select 1 from identity."user" u where u.id = subject_id)`,
      );
      expect(orphans).toEqual([]);
    });
  });

  describe("update-user", () => {
    test("changes the username, and the display name with it", async () => {
      const { browser } = await join();
      const username = newUsername();
      expect((await readResponse(await browser.post("/update-user", { username }))).status).toBe(
        200,
      );
      expect(await get(browser)).toMatchObject({
        username: username.toLowerCase(),
        displayUsername: username,
      });
    });

    test("allows a change of the display name alone", async () => {
      const { browser, username } = await join();
      await browser.post("/update-user", { displayUsername: "The Ada" });
      expect(await get(browser)).toMatchObject({
        username: username.toLowerCase(),
        displayUsername: "The Ada",
      });
    });

    test("accepts one's own username again, in another case too", async () => {
      const { browser, username } = await join();
      for (const own of [username, username.toUpperCase()])
        expect(
          await readResponse(await browser.post("/update-user", { username: own })),
        ).toMatchObject({
          status: 200,
          body: { status: true },
        });
      expect((await get(browser))?.displayUsername).toBe(username.toUpperCase());
    });

    test("rejects another user's username, and releases one's old one", async () => {
      const [ada, grace] = [await join(), await join()];
      const changeTo = (username: string) => grace.browser.post("/update-user", { username });
      expect(await readResponse(await changeTo(ada.username.toUpperCase()))).toEqual(usernameTaken);
      await ada.browser.post("/update-user", { username: newUsername() });
      expect((await readResponse(await changeTo(ada.username))).status).toBe(200);
    });

    test.each([
      ["ab", tooShort],
      ["x".repeat(31), tooLong],
      ["a b", invalid],
    ])("rejects the username %j", async (username, refused) => {
      const { browser } = await join();
      expect(await readResponse(await browser.post("/update-user", { username }))).toEqual(refused);
    });

    test("authenticates before it reports on usernames", async () => {
      const { username } = await join();
      expect(await post("/update-user", { username })).toEqual(usernameTaken);
      expect(await post("/update-user", { username: "a b" })).toEqual(invalid);
      expect((await post("/update-user", { username: newUsername() })).status).toBe(401);
    });

    matrixTest("one of 16 users who request one username concurrently gets it", async () => {
      const people = await Promise.all(Array.from({ length: 16 }, () => join()));
      const username = newUsername();
      const answers = await Promise.all(
        people.map(async ({ browser }) =>
          readResponse(await browser.post("/update-user", { name: "Winner", username })),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array.from({ length: 15 }, () => usernameTaken),
      );
      const users = await Promise.all(people.map(({ browser }) => get(browser)));
      const winners = users.filter((user) => user?.username === username.toLowerCase());
      expect(winners).toHaveLength(1);
      expect(users.filter((user) => user?.name === "Winner")).toEqual(winners);
    });
  });

  describe("a username set by a hook", () => {
    test("is stored in lower case, and unique", async () => {
      const username = newUsername();
      hooked = { userCreate: () => ({ data: { username, displayUsername: "Hooked" } }) };
      const { browser } = await join();
      expect(await get(browser)).toMatchObject({
        username: username.toLowerCase(),
        displayUsername: "Hooked",
      });
      const email = newEmail();
      expect(await post("/sign-up/email", { name: "Ada", email, password })).toEqual(usernameTaken);
      hooked = {};
      expect((await post("/sign-in/email", { email, password })).status).toBe(401);
      expect((await post("/sign-in/username", { username, password })).status).toBe(200);
    });

    test("is unique in an update too", async () => {
      const [ada, grace] = [await join(), await join()];
      hooked = { userUpdate: () => ({ data: { username: ada.username.toUpperCase() } }) };
      expect(await readResponse(await grace.browser.post("/update-user", { name: "Eve" }))).toEqual(
        usernameTaken,
      );
      hooked = {};
      expect(await get(grace.browser)).toMatchObject({
        name: "Ada",
        username: grace.username.toLowerCase(),
      });
    });
  });

  describe("sign-in", () => {
    const signIn = (body: unknown, browser?: BrowserLike) =>
      post("/sign-in/username", body, browser);

    test("returns a new token and the user with the username, and sets the session cookie", async () => {
      const { username, email, id } = await join();
      const browser = browse();
      const { status, body, cookies } = await signIn({ username, password }, browser);
      expect(status).toBe(200);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
      expect(body).toStrictEqual({
        token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user: {
          id,
          email,
          emailVerified: false,
          username: username.toLowerCase(),
          name: "Ada",
          image: null,
          createdAt: time,
          updatedAt: time,
        },
      });
      const signed = signValue(ring, body.token);
      expect(cookies).toEqual([`auth.session_token=${signed}; Max-Age=604800; ${attributes}`]);
      expect((await get(browser))?.id).toBe(id);
    });

    test("accepts the username in any case", async () => {
      const { username } = await join();
      for (const typed of [username.toLowerCase(), username.toUpperCase()])
        expect((await signIn({ username: typed, password })).status).toBe(200);
    });

    test("that is not remembered ends with the browser, and after a day", async () => {
      const { username } = await join();
      const browser = browse();
      const { body, cookies } = await signIn({ username, password, rememberMe: false }, browser);
      expect(cookies).toEqual([
        `auth.session_token=${signValue(ring, body.token)}; ${attributes}`,
        `auth.dont_remember=${signValue(ring, "true")}; ${attributes}`,
      ]);
      const { session } = (await (await browser.get("/get-session")).json()) as {
        session: { expiresAt: string; createdAt: string };
      };
      const lifetime = Date.parse(session.expiresAt) - Date.parse(session.createdAt);
      expect(lifetime).toBe(86_400_000);
    });

    test.each([
      [{}],
      [{ username: "ada" }],
      [{ password }],
      [{ username: "", password }],
      [{ username: "ada", password: "" }],
      [{ username: "", password: "" }],
    ])("without a username or a password is rejected as a wrong one: %j", async (body) => {
      expect(await signIn(body)).toEqual(wrong);
    });

    // Otherwise an attacker learns from the answer or its time who has an account, and of which kind.
    test("for an unknown user, a wrong password or a missing account costs the same work and gets the same answer", async () => {
      const [ada, noAccount, noPassword] = [await join(), await join(), await join()];
      await query("delete from identity.account where user_id = $1", noAccount.id);
      await query("update identity.account set password = null where user_id = $1", noPassword.id);
      for (const body of [
        { username: ada.username, password: "wrong" },
        { username: newUsername(), password },
        { username: noAccount.username, password },
        { username: noPassword.username, password },
      ]) {
        hashWork = 0;
        expect(await signIn(body)).toEqual(wrong);
        expect(hashWork).toBe(1);
      }
    });

    test.each([
      ["ab", tooShort],
      ["x".repeat(31), tooLong],
      ["a b", invalid],
    ])("as %j is rejected before the password is compared", async (username, refused) => {
      hashWork = 0;
      expect(await signIn({ username, password })).toEqual(refused);
      expect(hashWork).toBe(0);
    });

    test.each([
      ["username", { username: 5 }],
      ["username", { username: null }],
      ["password", { password: [password] }],
      ["rememberMe", { rememberMe: "false" }],
    ])("with a %s of another type is rejected", async (field, sent) => {
      const { username } = await join();
      expect(await signIn({ username, password, ...sent })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", issues: [{ path: field }] },
      });
    });

    test("rejects an untrusted callback URL", async () => {
      const { username } = await join();
      const body = { username, password, callbackURL: "https://evil.example/" };
      expect(await signIn(body)).toEqual(
        errorResponse(403, "INVALID_CALLBACKURL", "Invalid callbackURL"),
      );
    });

    test("reveals a ban only after the right password", async () => {
      const { username, id } = await join();
      await query(`update identity."user" set banned = true where id = $1`, id);
      expect(await signIn({ username, password: "wrong" })).toEqual(wrong);
      expect(await signIn({ username, password })).toMatchObject({
        status: 403,
        body: { code: "BANNED_USER" },
        cookies: [],
      });
    });

    test("that a hook vetoes is 500, with the reason", async () => {
      const { username } = await join();
      hooked = { sessionCreate: () => false };
      expect(await signIn({ username, password })).toEqual(
        errorResponse(500, "FAILED_TO_CREATE_SESSION", "Failed to create session"),
      );
    });

    // An attacker with the old password must not win the race against its replacement.
    test("with a password that is being replaced gets no session", async () => {
      const { username, id, browser } = await join();
      hooked = {
        sessionCreate: () =>
          query("update identity.account set password = 'test other' where user_id = $1", id).then(
            () => undefined,
          ),
      };
      const answer = await signIn({ username, password });
      hooked = {};
      expect([answer.status, answer.cookies]).toEqual([500, []]);
      expect(await (await browser.get("/list-sessions")).json()).toHaveLength(1);
    });
  });

  describe("is-username-available", () => {
    const isAvailable = async (username: unknown, browser?: BrowserLike) => {
      const { status, body } = await post("/is-username-available", { username }, browser);
      return { status, body };
    };

    test("reports whether a username exists, in any case", async () => {
      const { username, browser } = await join();
      const no = { status: 200, body: { available: false } };
      expect(await isAvailable(username.toUpperCase())).toEqual(no);
      expect(await isAvailable(username, browser)).toEqual(no);
      expect(await isAvailable(newUsername())).toEqual({ status: 200, body: { available: true } });
    });

    test.each([
      ["ab", tooShort],
      ["x".repeat(31), tooLong],
      ["a b", invalid],
    ])("rejects %j", async (username, refused) => {
      expect(await post("/is-username-available", { username })).toEqual(refused);
    });

    test.each([undefined, null, 5])("rejects a value that is not text: %j", async (username) => {
      expect((await isAvailable(username)).status).toBe(400);
    });
  });
});

describe("if addresses must be verified", () => {
  const required = {
    emailAndPassword: { ...config.emailAndPassword, requireEmailVerification: true },
  };

  describe("and mails are sent", () => {
    const { post, system, browse, query } = withStack(required, "postgres");

    test("the right password is mailed a new link with the callback URL, a wrong one is not", async () => {
      const [email, username] = [newEmail(), newUsername()];
      const callbackURL = "/welcome?from=sign-in";
      expect(
        (await post("/sign-up/email", { name: "Ada", email, password, username })).status,
      ).toBe(200);
      await system().smtp.waitForMail(email);
      system().smtp.mails.length = 0;
      expect(await post("/sign-in/username", { username, password: "wrong" })).toEqual(wrong);
      const browser = browse();
      expect(await post("/sign-in/username", { username, password, callbackURL }, browser)).toEqual(
        {
          ...errorResponse(403, "EMAIL_NOT_VERIFIED", "email not verified"),
          cookies: [linkCookie],
        },
      );
      const requests = "select 1 from identity.audit where action = 'verification.requested'";
      expect(await query(requests)).toHaveLength(2);
      const [link = ""] = (await system().smtp.waitForMail(email)).links;
      const url = new URL(link);
      expect(url.searchParams.get("callbackURL")).toBe(callbackURL);
      const opened = await followLink(link, { browser });
      expect([opened.status, opened.headers.location]).toEqual([302, callbackURL]);
      expect((await post("/sign-in/username", { username, password }, browser)).status).toBe(200);
    });
  });

  describe("and mails are off", () => {
    const { post } = withStack({ ...required, emailVerification: { enabled: false } }, "postgres");

    test("the right password gets an error that names this, a wrong one does not", async () => {
      const [email, username] = [newEmail(), newUsername()];
      await post("/sign-up/email", { name: "Ada", email, password, username });
      expect(await post("/sign-in/username", { username, password: "wrong" })).toEqual(wrong);
      expect(await post("/sign-in/username", { username, password })).toEqual(
        errorResponse(400, "VERIFICATION_EMAIL_ISNT_ENABLED", "Verification email isn't enabled"),
      );
    });
  });
});

describe("with usernames off", () => {
  const { post, get, browse, query } = withStack({ username: { enabled: false } }, "postgres");

  test.each(["/sign-in/username", "/is-username-available"])("%s is not there", async (path) => {
    expect(await post(path, { username: "ada", password })).toMatchObject({ status: 404 });
  });

  test("they are neither read nor returned", async () => {
    const browser = browse();
    const body = {
      name: "Ada",
      email: newEmail(),
      password,
      username: "a b",
      displayUsername: "A",
    };
    expect((await post("/sign-up/email", body, browser)).status).toBe(200);
    expect((await post("/update-user", { username: "!" }, browser)).status).toBe(200);
    const user = await get(browser);
    expect(Object.keys(user ?? {})).not.toContain("username");
    expect(Object.keys(user ?? {})).not.toContain("displayUsername");
    expect(
      await query(`select username, display_username from identity."user" where id = $1`, user?.id),
    ).toEqual([{ username: null, display_username: null }]);
  });
});

describe("with the application's own rules", () => {
  let failure: Error | undefined;
  const { post, get, browse } = withStack(
    {
      username: {
        minUsernameLength: 2,
        maxUsernameLength: 5,
        usernameNormalization: (text) => text.trim().toUpperCase(),
        usernameValidator: async (text) => {
          if (failure) throw failure;
          return text.startsWith("A");
        },
      },
    },
    "postgres",
  );
  afterEach(() => {
    failure = undefined;
  });

  test("the normalized form is validated, stored and unique", async () => {
    const browser = browse();
    const body = { name: "Ada", email: newEmail(), password, username: "  a-b  " };
    expect((await post("/sign-up/email", body, browser)).status).toBe(200);
    expect(await get(browser)).toMatchObject({ username: "A-B", displayUsername: "  a-b  " });
    expect((await post("/sign-in/username", { username: "A-b", password })).status).toBe(200);
    expect(await post("/sign-up/email", { username: " A-B" })).toEqual(usernameTaken);
    expect(await post("/sign-up/email", { username: "  a   " })).toEqual(tooShort);
    expect(await post("/sign-up/email", { username: "abcdef" })).toEqual(tooLong);
  });

  test("an asynchronous validator decides sign-up, update and sign-in alike", async () => {
    expect(await post("/sign-up/email", { username: "bcd" })).toEqual(invalid);
    expect(await post("/update-user", { username: "bcd" })).toEqual(invalid);
    expect(await post("/sign-in/username", { username: "bcd", password })).toEqual(invalid);
    expect(await post("/is-username-available", { username: "bcd" })).toEqual(invalid);
  });

  test("a validator that throws fails its own request", async () => {
    failure = new Error("not well");
    const failed = { status: 500, body: undefined, cookies: [] };
    expect(await post("/sign-up/email", { username: "abc" })).toEqual(failed);
    expect(await post("/sign-in/username", { username: "abc", password })).toEqual(failed);
    failure = undefined;
    expect((await post("/is-username-available", { username: "axy" })).status).toBe(200);
  });
});
