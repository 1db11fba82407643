import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { migrateAll } from "../../apps/cli/src/installation/migrate-all.ts";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows } from "../harness/rows.ts";
import { createMigratedDatabase } from "../harness/stores.ts";
import { callAdminInternal, newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { readSettings } from "@latchkey/service-kit/config";

expectNoLeaks("file");

/** A value that no client may read. */
const classified = "classified-0123456789";

/** The behaviour of the application's functions, reset after each test. */
let own: {
  transform?: (text: unknown) => unknown;
  trial?: () => unknown;
  session?: () => object;
  change?: () => false | { data: object };
} = {};
afterEach(() => {
  own = {};
});

const config: LatchkeyConfig = {
  ...serviceConfig,
  user: {
    additionalFields: {
      nickname: { type: "string", required: false, unique: true },
      age: { type: "number", required: false },
      isStaff: { type: "boolean", defaultValue: false },
      bornAt: { type: "date", required: false },
      size: { type: ["small", "large"], required: false },
      tags: { type: "string[]", required: false },
      scores: { type: "number[]", required: false },
      plan: { type: "string", input: false, defaultValue: "free" },
      trial: { type: "number", input: false, defaultValue: () => own.trial?.() ?? 0 },
      motto: {
        type: "string",
        required: false,
        validator: {
          input: {
            parse: async (value) => {
              if (value === "rude") throw new Error("it is rude");
              return value;
            },
          },
        },
        transform: { input: (value) => (own.transform ? own.transform(value) : value) },
      },
      clearance: { type: "string", required: false, returned: false },
      origin: { type: "string", input: false, returned: false, defaultValue: classified },
    },
  },
  session: {
    cookieCache: { enabled: true },
    additionalFields: {
      device: { type: "string", defaultValue: "unknown" },
      count: { type: "number", defaultValue: () => 0 },
      level: { type: "number", input: false, defaultValue: 1 },
      region: { type: "string" },
      fingerprint: { type: "string", returned: false, defaultValue: classified },
    },
  },
  databaseHooks: {
    session: {
      create: { before: () => (own.session ? { data: own.session() } : undefined) },
      update: { before: () => own.change?.() },
    },
  },
};

interface Got {
  session: Record<string, unknown>;
  user: Record<string, unknown>;
}

/** Returns everything that a client can read of an answer, including decoded base64. */
const readable = async (response: Response): Promise<string> => {
  const headers = [...response.headers].flat().join("\n");
  const text = `${headers}\n${await response.text()}`;
  const decoded = [...text.matchAll(/[\w-]{20,}/g)].map(([part]) =>
    Buffer.from(part, "base64url").toString(),
  );
  return [text, ...decoded].join("\n");
};

const person = <Fields extends object>(fields?: Fields) => ({
  name: "Ada",
  email: newEmail(),
  password,
  ...(fields as Fields),
});

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, config });

  const browse = () => createBrowserLike(system.url);
  const post = async (path: string, body: unknown, browser = browse()) =>
    readResponse<{ user: Record<string, unknown> }>(await browser.post(path, body));
  const join = async (fields: object = {}) => {
    const browser = browse();
    const body = person(fields);
    const answer = await post("/sign-up/email", body, browser);
    expect(answer.status).toBe(200);
    return { browser, email: body.email, id: String(answer.body.user["id"]) };
  };
  /** Reads from the store, not from the session cookie cache. */
  const get = async (browser: BrowserLike): Promise<Got> => {
    const response = await browser.get("/get-session?disableCookieCache=true");
    return (await response.json()) as Got;
  };
  const cached = async (browser: BrowserLike): Promise<Got> =>
    (await (await browser.get("/get-session")).json()) as Got;

  const input = {
    nickname: "lady",
    age: 36.5,
    isStaff: true,
    bornAt: "1815-12-10",
    size: "large",
    tags: ["maths", ""],
    scores: [1, 2.5],
    motto: "That brain of mine",
  };
  const shown = { ...input, bornAt: "1815-12-10T00:00:00.000Z", plan: "free", trial: 0 };

  describe("a user's fields", () => {
    test("are stored at sign-up and returned with the session, from store and cookie alike", async () => {
      const { browser } = await join({ ...input, nickname: "lady" });
      expect((await get(browser)).user).toMatchObject(shown);
      expect((await cached(browser)).user).toMatchObject(shown);
    });

    test("have their defaults, including false and 0, or null", async () => {
      const { browser } = await join();
      expect((await get(browser)).user).toMatchObject({
        nickname: null,
        age: null,
        isStaff: false,
        bornAt: null,
        size: null,
        tags: null,
        scores: null,
        plan: "free",
        trial: 0,
        motto: null,
      });
    });

    test("are changed one at a time by update-user, and visible at once in every session", async () => {
      const { browser, email } = await join({ age: 1, tags: ["a"] });
      const other = browse();
      await other.post("/sign-in/email", { email, password });
      expect((await post("/update-user", { age: 2, isStaff: true }, browser)).status).toBe(200);
      const changed = { age: 2, isStaff: true, tags: ["a"] };
      for (const reader of [browser, other]) {
        expect((await get(reader)).user).toMatchObject(changed);
        expect((await cached(reader)).user).toMatchObject(changed);
      }
      expect((await post("/update-user", { age: null }, browser)).status).toBe(200);
      expect((await get(browser)).user).toMatchObject({ age: null, isStaff: true });
    });

    test.each([
      ["age", "36"],
      ["isStaff", 1],
      ["bornAt", "yesterday"],
      ["bornAt", "1815-02-30"],
      ["size", "medium"],
      ["tags", "a"],
      ["tags", [1]],
      ["scores", ["1"]],
      ["nickname", { $ne: null }],
      ["nickname", "half a letter \ud83d"],
      ["nickname", "nul \0"],
      ["nickname", "x".repeat(600)],
      ["motto", "rude"],
    ])("are rejected by name and without the value: %s %j", async (name, value) => {
      const refused = {
        status: 400,
        body: {
          code: "VALIDATION_ERROR",
          message: "Invalid body parameters",
          issues: [{ path: name, message: expect.any(String) }],
        },
        cookies: [],
      };
      const body = person({ [name]: value });
      expect(await post("/sign-up/email", body)).toEqual(refused);
      const users = await rows.query(`select 1 from identity."user" where email = $1`, body.email);
      expect(users).toEqual([]);
      const { browser } = await join();
      expect(await post("/update-user", { [name]: value }, browser)).toEqual(refused);
    });

    test("that clients cannot set are ignored", async () => {
      const sent = { plan: "gold", trial: 99, origin: "x" };
      const { browser, id } = await join(sent);
      await post("/update-user", { name: "Grace", ...sent }, browser);
      expect((await get(browser)).user).toMatchObject({ name: "Grace", plan: "free", trial: 0 });
      const [row] = await rows.query(`select extra from identity."user" where id = $1`, id);
      expect(row?.["extra"]).toMatchObject({ plan: "free", trial: 0, origin: classified });
    });

    test("that are unknown are ignored", async () => {
      const { browser } = await join({ extra: { plan: "gold" }, favourite: 1, revision: 9 });
      expect((await get(browser)).user).not.toHaveProperty("favourite");
      expect((await get(browser)).user).toMatchObject({ plan: "free" });
    });

    test("can be validated, transformed and stored by functions of the application", async () => {
      own = { transform: (text) => String(text).toUpperCase(), trial: () => 14 };
      const { browser } = await join({ motto: "onwards" });
      expect((await get(browser)).user).toMatchObject({ motto: "ONWARDS", trial: 14 });
    });

    test.each([
      [
        "a transform that throws",
        {
          transform: () => {
            throw new Error("not well");
          },
        },
      ],
      ["a transform that rejects", { transform: () => Promise.reject(new Error("not well")) }],
      ["a transform that gives another type", { transform: () => ({}) }],
      [
        "a default that throws",
        {
          trial: () => {
            throw new Error("not well");
          },
        },
      ],
      ["a default of another type", { trial: () => "many" }],
    ])("%s fails its own request and leaves no data", async (_, failing) => {
      own = failing;
      const body = person({ motto: "onwards" });
      expect(await post("/sign-up/email", body)).toEqual({
        status: 500,
        body: undefined,
        cookies: [],
      });
      own = {};
      expect((await post("/sign-up/email", body)).status).toBe(200);
    });
  });

  describe("a unique field", () => {
    const failed = errorResponse(422, "FAILED_TO_CREATE_USER", "Failed to create user");

    test("is unique at sign-up and in update-user", async () => {
      await join({ nickname: "only" });
      expect(await post("/sign-up/email", person({ nickname: "only" }))).toEqual(failed);
      const { browser } = await join({ nickname: "another" });
      expect(await post("/update-user", { nickname: "only" }, browser)).toEqual(
        errorResponse(400, "FAILED_TO_UPDATE_USER", "Failed to update user"),
      );
      expect((await post("/update-user", { nickname: "another" }, browser)).status).toBe(200);
      expect((await get(browser)).user["nickname"]).toBe("another");
    });

    test("is given to one of 16 concurrent sign-ups, and the others leave no data", async () => {
      const people = Array.from({ length: 16 }, () => person({ nickname: "raced" }));
      const answers = await Promise.all(people.map((body) => post("/sign-up/email", body)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array.from({ length: 15 }, () => failed),
      );
      const emails = people.map(({ email }) => email);
      const users = await rows.query(`select 1 from identity."user" where email = any($1)`, emails);
      expect(users).toHaveLength(1);
    });

    matrixTest("is given to one of 16 concurrent updates", async () => {
      const people = await Promise.all(Array.from({ length: 16 }, () => join()));
      const answers = await Promise.all(
        people.map(({ browser }) => post("/update-user", { nickname: "wanted", age: 1 }, browser)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const users = await Promise.all(people.map(async ({ browser }) => (await get(browser)).user));
      expect(users.filter(({ nickname }) => nickname === "wanted")).toHaveLength(1);
      expect(users.filter(({ age }) => age === 1)).toHaveLength(1);
    });
  });

  describe("a session's fields", () => {
    test("have their defaults, can be set by a hook, and are returned wherever the session is", async () => {
      const { browser, email } = await join();
      const begun = { device: "unknown", count: 0, region: null };
      expect((await get(browser)).session).toMatchObject(begun);
      expect((await cached(browser)).session).toMatchObject(begun);
      own = { session: () => ({ device: "phone", region: "eu" }) };
      const other = browse();
      await other.post("/sign-in/email", { email, password });
      const hooked = { device: "phone", count: 0, region: "eu" };
      expect((await get(other)).session).toMatchObject(hooked);
      const listed = (await (await other.get("/list-sessions")).json()) as object[];
      expect(listed).toEqual(
        expect.arrayContaining([expect.objectContaining(begun), expect.objectContaining(hooked)]),
      );
    });

    test("are changed by update-session for that session, and visible at once from store and cookie", async () => {
      const { browser, email } = await join();
      const before = await cached(browser);
      const other = browse();
      await other.post("/sign-in/email", { email, password });
      const { status, body } = await readResponse<Got>(
        await browser.post("/update-session", { device: "tablet", count: 2 }),
      );
      const changed = { ...before.session, device: "tablet", count: 2 };
      expect([status, body]).toEqual([200, { session: changed }]);
      expect((await get(browser)).session).toEqual(changed);
      expect((await cached(browser)).session).toEqual(changed);
      expect((await get(other)).session).toMatchObject({ device: "unknown", count: 0 });
    });

    test("of 16 concurrent changes of different fields none is lost", async () => {
      const { browser } = await join();
      const fields = [{ device: "tablet" }, { count: 3 }, { region: "eu" }];
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          browser.post("/update-session", fields[index % fields.length]),
        ),
      );
      expect((await get(browser)).session).toMatchObject(Object.assign({}, ...fields));
    });

    test.each([
      ["nothing", {}, 400, "NO_FIELDS_TO_UPDATE"],
      ["members that are no fields", { userId: "x", token: "x" }, 400, "NO_FIELDS_TO_UPDATE"],
      ["a time of its own", { expiresAt: "2099-01-01", updatedAt: 0 }, 400, "NO_FIELDS_TO_UPDATE"],
      ["a field that clients cannot set", { level: 9 }, 400, "NO_FIELDS_TO_UPDATE"],
      ["a value of another type", { count: "2" }, 400, "VALIDATION_ERROR"],
      ["nothing where something must be", { device: null }, 400, "DEVICE_IS_REQUIRED"],
      ["a list", [], 400, "VALIDATION_ERROR"],
    ])(
      "with %s update-session is rejected and changes nothing",
      async (_case, sent, status, code) => {
        const { browser } = await join();
        const before = await get(browser);
        const answer = await readResponse(await browser.post("/update-session", sent));
        expect(answer).toMatchObject({ status, body: { code } });
        expect(await get(browser)).toEqual(before);
      },
    );

    test("update-session requires a session", async () => {
      const answer = await readResponse(
        await browse().post("/update-session", { device: "tablet" }),
      );
      expect(answer).toMatchObject({ status: 401 });
    });

    test("a hook may override and veto changes by update-session", async () => {
      const { browser } = await join();
      own = { change: () => ({ data: { device: "watch", level: 9, userId: "x" } }) };
      await browser.post("/update-session", { device: "tablet" });
      own = { change: () => false };
      const vetoed = await readResponse(await browser.post("/update-session", { count: 5 }));
      expect(vetoed).toMatchObject({ status: 500, body: { code: "FAILED_TO_UPDATE_SESSION" } });
      expect((await get(browser)).session).toMatchObject({ device: "watch", level: 1, count: 0 });
    });

    test("cannot be set by a client", async () => {
      const { browser, email } = await join({ device: "mine" });
      expect((await get(browser)).session).toMatchObject({ device: "unknown" });
      await browser.post("/sign-in/email", { email, password, device: "mine" });
      await browser.post("/update-user", { name: "Grace", device: "mine" });
      expect((await get(browser)).session).toMatchObject({ device: "unknown" });
    });
  });

  // They are for the application only: its hooks read them, its clients do not.
  test("fields that are not returned are in no answer, header, cookie or token", async () => {
    const browser = browse();
    const secret = { clearance: classified };
    const body = person({ ...secret, username: `ada.${stores}` });
    const answers = [
      () => browser.post("/sign-up/email", body),
      () => browser.post("/update-user", { name: "Grace", ...secret }),
      () => browser.get("/get-session"),
      () => browser.get("/get-session?disableCookieCache=true"),
      () => browser.get("/list-sessions"),
      () => browser.get("/token"),
      () => browser.post("/sign-in/email", { email: body.email, password }),
      () => browser.post("/sign-in/username", { username: body.username, password }),
      () =>
        browser.post("/change-password", {
          currentPassword: password,
          newPassword: `${password}2`,
          revokeOtherSessions: true,
        }),
      () => browser.get("/get-session"),
    ];
    for (const answer of answers) {
      const response = await answer();
      expect(response.status).toBe(200);
      const text = await readable(response);
      expect(text).not.toContain(classified);
      expect(text).not.toMatch(/clearance|origin"|fingerprint/);
    }
    expect(await readable(await browser.get("/token"))).toContain('"plan":"free"');
    const cookies = [...browser.cookies.values()].map((value) =>
      Buffer.from(value, "base64url").toString(),
    );
    expect(cookies.join()).toContain('"plan":"free"');
    expect(cookies.join()).not.toContain(classified);
    const stored = await rows.query(
      `select extra ->> 'clearance' as clearance from identity."user" where email = $1`,
      body.email,
    );
    expect(stored).toEqual([secret]);
  });

  test("are hidden from admins too", async () => {
    const { browser, id } = await join({ clearance: classified });
    expect(
      (await callAdminInternal(system, "/set-role", { userId: id, role: "admin" })).status,
    ).toBe(200);
    const made = { ...person(), data: { clearance: classified, plan: "gold" } };
    const answers = [
      await browser.post("/admin/create-user", made),
      await browser.post("/admin/list-user-sessions", { userId: id }),
      await browser.post("/admin/ban-user", { userId: (await join()).id }),
    ];
    for (const response of answers) {
      expect(response.status).toBe(200);
      const text = await readable(response);
      expect(text).not.toContain(classified);
      expect(text).not.toMatch(/clearance|origin"|fingerprint/);
      expect(text).toMatch(/"plan":|"device":/);
    }
    const email = made.email;
    const [row] = await rows.query(`select extra from identity."user" where email = $1`, email);
    expect(row?.["extra"]).toMatchObject({ clearance: classified, plan: "gold" });
  });
});

describe("a required field", () => {
  const additionalFields = {
    favouriteColour: { type: "string" },
    seats: { type: "number", defaultValue: 0 },
  } as const;
  const { system } = useSystem({
    stores: "postgres",
    config: { ...serviceConfig, user: { additionalFields } },
  });
  const post = async (path: string, body: unknown, browser = createBrowserLike(system.url)) =>
    readResponse(await browser.post(path, body));
  const required = errorResponse(400, "FAVOURITECOLOUR_IS_REQUIRED", "favouriteColour is required");

  test.each([{}, { favouriteColour: null }])("is required at sign-up: %j", async (fields) => {
    expect(await post("/sign-up/email", person(fields))).toEqual(required);
  });

  test("is checked after everything else in a sign-up", async () => {
    const existing = person({ favouriteColour: "red" });
    await post("/sign-up/email", existing);
    expect(await post("/sign-up/email", { ...person(), email: existing.email })).toMatchObject({
      body: { code: "USER_ALREADY_EXISTS" },
    });
    expect(await post("/sign-up/email", { ...person(), password: "short" })).toMatchObject({
      body: { code: "PASSWORD_TOO_SHORT" },
    });
  });

  test("cannot be emptied, and is optional in updates", async () => {
    const browser = createBrowserLike(system.url);
    expect((await post("/sign-up/email", person({ favouriteColour: "" }), browser)).status).toBe(
      200,
    );
    expect((await post("/update-user", { name: "Grace" }, browser)).status).toBe(200);
    expect(await post("/update-user", { favouriteColour: null }, browser)).toEqual(required);
    expect(await (await browser.get("/get-session")).json()).toMatchObject({
      user: { name: "Grace", favouriteColour: "", seats: 0 },
    });
  });
});

test("a field that is made unique too late is named, and nothing changes", async () => {
  const database = await createMigratedDatabase();
  const nickname = { type: "string", required: false } as const;
  const settings = (unique: boolean) =>
    readSettings(
      {
        databaseUrl: database.url,
        user: { additionalFields: { nickname: { ...nickname, unique } } },
      },
      {},
    );
  await migrateAll(settings(false));
  const rows = openRows({ databaseUrl: database.url });
  for (const id of ["1", "2"])
    await rows.query(
      `insert into identity."user" (id, name, email, email_verified, created_at, updated_at, extra)
       values ($1, 'Ada', $1 || '@example.com', false, now(), now(), '{"nickname": "same"}')`,
      id,
    );
  await expect(migrateAll(settings(true))).rejects.toThrow(
    "user.additionalFields.nickname.unique: several users have the same value already",
  );
  await rows.query(`update identity."user" set extra = '{}' where id = '2'`);
  await migrateAll(settings(true));
  await rows.close();
  await database.drop();
});
