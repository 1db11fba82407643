import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { unsetMembers } from "../../services/identity/src/users/unset-members.fixture.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const token = "a token of a service that finds rows";
const config = {
  ...serviceConfig,
  serviceTokens: { finder: token },
  rateLimit: { enabled: false },
  advanced: { database: { defaultFindManyLimit: 5 } },
  user: {
    additionalFields: {
      tags: { type: "string[]", required: false },
      customer: { type: "string", required: false, returned: false },
    },
  },
} satisfies LatchkeyConfig;

/** In the order of their sign-ups. */
let people: TestUser[];
const { system, rows } = useSystem({ stores: "postgres", config });
beforeAll(async () => {
  people = [];
  for (let index = 0; index < 7; index += 1) people.push(await signUp(system));
  const [ada] = people;
  await rows.query(
    `update identity."user" set email_verified = true, ban_reason = 'spam',
       extra = '{"tags": ["a", "b"], "customer": "c-1"}' where id = $1`,
    ada?.user.id,
  );
});

type Found = { rows: Record<string, unknown>[] };
const postQuery = async (body: unknown, headers: Record<string, string> = {}) =>
  readResponse<Found>(
    await fetch(`${system.urlOf("identity")}/internal/find-rows`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  );
const condition = (field: string, operator: string | undefined, value: unknown) => ({
  field,
  ...(operator && { operator }),
  value,
});
const find = async (model: string, ...where: ReturnType<typeof condition>[]) => {
  const { status, body } = await postQuery({ model, where });
  expect(status).toBe(200);
  return body.rows;
};
const personAt = (index: number): TestUser => {
  const person = people[index];
  if (!person) throw new Error(`there is no person ${index}`);
  return person;
};
const idAt = (index: number) => personAt(index).user.id;
const idsOf = (list: Found["rows"]) => list.map(({ id }) => id);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test.each([
  ["no token", { authorization: "" }],
  ["a wrong token", { authorization: "Bearer wrong" }],
  ["a session", {}],
] as const)("finds nothing with %s", async (_, headers) => {
  const own =
    "authorization" in headers ? headers : { authorization: `Bearer ${personAt(0).token}` };
  expect(await postQuery({ model: "user", where: [] }, own)).toEqual(
    errorResponse(403, "FORBIDDEN", "Forbidden"),
  );
});

test("the gateway does not offer it", async () => {
  const { browser } = personAt(0);
  const outside = await browser.post("/internal/find-rows", { model: "user", where: [] });
  expect(outside.status).toBe(404);
});

describe("users", () => {
  test("have the fields that clients see", async () => {
    expect(await find("user", condition("id", "eq", idAt(0)))).toStrictEqual([
      {
        ...unsetMembers,
        id: idAt(0),
        name: "Ada",
        email: personAt(0).email,
        emailVerified: true,
        createdAt: time,
        updatedAt: time,
        role: "user",
        banReason: "spam",
        tags: ["a", "b"],
      },
    ]);
  });

  test("are sorted oldest first, as many as requested or as the options allow", async () => {
    const ids = people.map(({ user }) => user.id);
    expect(idsOf(await find("user"))).toEqual(ids.slice(0, 5));
    const { body } = await postQuery({ model: "user", where: [], limit: 1000 });
    expect(idsOf(body.rows)).toEqual(ids);
    expect((await postQuery({ model: "user", where: [], limit: 2 })).body.rows).toHaveLength(2);
  });

  test("must match every condition, with `eq` as the default operator", async () => {
    const verified = condition("emailVerified", undefined, true);
    expect(idsOf(await find("user", verified, condition("id", "eq", idAt(0))))).toEqual([idAt(0)]);
    expect(await find("user", verified, condition("id", "eq", idAt(1)))).toEqual([]);
  });

  test.each([
    ["in", (): unknown => [idAt(2), idAt(1), "nobody"], [1, 2]],
    ["in", () => [], []],
    ["ne", () => idAt(0), [1, 2, 3, 4, 5]],
    ["starts_with", () => idAt(3).toLowerCase(), [3]],
    ["ends_with", () => idAt(3), [3]],
    ["contains", () => idAt(3).slice(2, 30), [3]],
  ])("by id with %s", async (operator, value, expected) => {
    expect(idsOf(await find("user", condition("id", operator, value())))).toEqual(
      expected.map(idAt),
    );
  });

  test("can be found by null and by other values", async () => {
    expect(idsOf(await find("user", condition("banReason", "ne", null)))).toEqual([idAt(0)]);
    expect(await find("user", condition("banReason", "eq", null))).toHaveLength(5);
    const either = condition("banReason", "in", ["spam", null]);
    expect(idsOf(await find("user", either, condition("id", "in", [idAt(0), idAt(6)])))).toEqual([
      idAt(0),
      idAt(6),
    ]);
  });

  test("can be found by times, by an address in any case, and by hidden fields", async () => {
    const [{ createdAt }] = (await find("user", condition("id", "eq", idAt(1)))) as [
      { createdAt: string },
    ];
    expect(idsOf(await find("user", condition("createdAt", "lt", createdAt)))).toEqual([idAt(0)]);
    const address = condition("email", "in", [personAt(4).email.toUpperCase()]);
    expect(idsOf(await find("user", address))).toEqual([idAt(4)]);
    const [user] = await find("user", condition("customer", "eq", "c-1"));
    expect(user).toMatchObject({ id: idAt(0) });
    expect(user).not.toHaveProperty("customer");
    expect(idsOf(await find("user", condition("tags", "contains", "b")))).toEqual([idAt(0)]);
  });
});

describe("accounts", () => {
  test("are shown without password and tokens", async () => {
    const accounts = await find("account", condition("userId", "eq", idAt(0)));
    expect(accounts).toStrictEqual([
      {
        id: expect.any(String),
        userId: idAt(0),
        providerId: "credential",
        accountId: idAt(0),
        createdAt: time,
        updatedAt: time,
      },
    ]);
  });

  test("can be found by several users and by provider", async () => {
    const ids = [idAt(1), idAt(2)];
    const accounts = await find(
      "account",
      condition("userId", "in", ids),
      condition("providerId", "starts_with", "cred"),
    );
    expect(accounts.map(({ userId }) => userId)).toEqual(ids);
    expect(await find("account", condition("providerId", "eq", "google"))).toEqual([]);
  });
});

describe("rejected queries", () => {
  test.each(["session", "verification", "User", "", "constructor"])(
    "the model %j",
    async (model) => {
      const message = `Model ${model} does not exist in the database`;
      const code = message.toUpperCase().replaceAll(" ", "_");
      expect(await postQuery({ model, where: [] })).toEqual(errorResponse(400, code, message));
    },
  );

  test.each([
    ["user", "password"],
    ["user", "revision"],
    ["user", "extra"],
    ["account", "password"],
    ["account", "email"],
    ["account", "constructor"],
  ])("a field of %s: %s", async (model, field) => {
    const message = `Field ${field} does not exist`;
    const code = message.toUpperCase().replaceAll(" ", "_");
    expect(await postQuery({ model, where: [condition(field, "eq", "a")] })).toEqual(
      errorResponse(400, code, message),
    );
  });

  test.each(["a", null, { 0: "a" }, 1])("`in` with %j, which is not an array", async (value) => {
    expect(await postQuery({ model: "user", where: [condition("id", "in", value)] })).toEqual(
      errorResponse(400, "VALUE_MUST_BE_AN_ARRAY", "Value must be an array"),
    );
  });

  test.each([
    ["id", "eq", 1],
    ["id", "eq", undefined],
    ["id", "eq", ["a"]],
    ["id", "in", ["a", 1]],
    ["id", "contains", null],
    ["name", "eq", "a\0b"],
    ["emailVerified", "eq", "true"],
    ["emailVerified", "contains", true],
    ["createdAt", "gt", "soon"],
    ["createdAt", "gt", 0],
    ["tags", "eq", "a"],
  ])("%s %s %j, which has another type", async (field, operator, value) => {
    const where = [condition("id", "eq", "a"), condition(field, operator, value)];
    expect(await postQuery({ model: "user", where })).toEqual({
      status: 400,
      body: {
        code: "VALIDATION_ERROR",
        message: "Invalid body parameters",
        issues: [{ path: "where.1.value", message: expect.any(String) }],
      },
      cookies: [],
    });
  });

  test.each([
    {},
    { model: "user" },
    { model: "user", where: "all" },
    { model: "user", where: [], limit: 0 },
    { model: "user", where: [], limit: 1001 },
    { model: "user", where: [condition("id", "like", "a")] },
    { model: "user", where: Array(21).fill(condition("id", "eq", "a")) },
  ])("the body %j", async (body) => {
    expect(await postQuery(body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR" },
    });
  });
});
