import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { unsetMembers } from "../../services/identity/src/users/unset-members.fixture.ts";
import { createBrowserLike } from "../harness/browser-like.ts";
import { serviceConfig } from "../harness/operations.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { setRole, signUp, signUpAs, type TestUser, type UserView } from "../harness/users.ts";

expectNoLeaks("file");

interface Listing {
  users: (UserView & Record<string, unknown>)[];
  total: number;
  totalIsEstimate?: boolean;
  limit?: number;
  offset?: number;
  nextCursor?: string;
}

const config = {
  ...serviceConfig,
  rateLimit: { enabled: false },
  user: {
    additionalFields: {
      age: { type: "number", required: false },
      hidden: {
        type: "string",
        required: false,
        returned: false,
        defaultValue: "nobody's business",
      },
    },
  },
} satisfies LatchkeyConfig;

/** In the order of their sign-ups. */
let others: TestUser[];
const { system, rows, admin } = useSystem({ stores: "postgres", config });
beforeAll(async () => {
  others = [];
  for (let index = 0; index < 6; index += 1) others.push(await signUp(system));
});

const pathOf = (query: string | Record<string, string>) =>
  `/admin/list-users${typeof query === "string" ? query : `?${new URLSearchParams(query).toString()}`}`;
const list = async (query: string | Record<string, string> = "", { browser } = admin) =>
  readResponse<Listing>(await browser.get(pathOf(query)));
const emailsOf = ({ body }: { body: Listing }) => body.users.map(({ email }) => email);
const everyone = () => [admin, ...others].map(({ email }) => email);

const invalid = (path: string) => ({
  status: 400,
  body: {
    code: "VALIDATION_ERROR",
    message: "Invalid query parameters",
    issues: [{ path, message: expect.any(String) }],
  },
  cookies: [],
});

test("admins see all users whole, oldest first, without hidden fields", async () => {
  const answer = await list();
  expect(answer).toEqual({
    status: 200,
    body: { users: expect.any(Array), total: 7 },
    cookies: [],
  });
  expect(emailsOf(answer)).toEqual(everyone());
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(answer.body.users[0]).toStrictEqual({
    ...unsetMembers,
    id: admin.user.id,
    name: "Ada",
    email: admin.email,
    emailVerified: false,
    createdAt: time,
    updatedAt: time,
    role: "admin",
    age: null,
    revision: expect.any(Number),
  });
});

describe("access", () => {
  const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
  const forbidden = errorResponse(
    403,
    "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
    "You are not allowed to list users",
  );

  test("rejects callers without a session", async () => {
    const browser = createBrowserLike(system.url);
    expect(await readResponse(await browser.get(pathOf("")))).toEqual(unauthorized);
    expect(await readResponse(await browser.get(pathOf("?sortDirection=up")))).toMatchObject({
      status: 400,
    });
  });

  test("rejects users without the permission, even about themselves", async () => {
    const [other = admin] = others;
    expect(await list("", other)).toEqual(forbidden);
    expect(await list({ filterField: "id", filterValue: other.user.id }, other)).toEqual(forbidden);
    expect(await list({ limit: "-1" }, other)).toEqual(forbidden);
  });

  test("rejects users who lost the role", async () => {
    const former = await signUpAs(system, "admin");
    expect((await list("", former)).status).toBe(200);
    await setRole(system, former.user.id, "user");
    expect(await list("", former)).toEqual(forbidden);
    await rows.query(`delete from identity."user" where id = $1`, former.user.id);
  });
});

test.each([
  ["searchOperator=like", "searchOperator"],
  ["searchField=role", "searchField"],
  ["filterOperator=not_in", "filterOperator"],
  ["filterField=id&filterValue=a&filterValue=b", "filterValue"],
  [`filterField=id&filterOperator=in${"&filterValue=a".repeat(101)}`, "filterValue"],
  ["filterOperator=starts_with", "filterOperator"],
  ["sortBy=name&sortDirection=up", "sortDirection"],
  ["limit=1&limit=2", "limit"],
  ["searchValue=a&searchValue=b", "searchValue"],
  ["searchValue=a%00b", "searchValue"],
  [`searchValue=${"a".repeat(256)}`, "searchValue"],
  ["limit=-1", "limit"],
  ["limit=1001", "limit"],
  ["offset=-1", "offset"],
  ["offset=99999999999999999999", "offset"],
  ["filterField=banned&filterValue=yes", "filterValue"],
  ["filterField=createdAt&filterValue=soon", "filterValue"],
  ["filterField=age&filterValue=old", "filterValue"],
  ["cursor=garbage", "cursor"],
  [`cursor=${"a".repeat(1025)}`, "cursor"],
])("rejects the query %s", async (query, path) => {
  expect(await list(`?${query}`)).toEqual(invalid(path));
});

test.each([
  "sortBy=nothing",
  "filterField=nothing&filterValue=a&limit=5&offset=1",
  "filterField=password&filterValue=a",
  "filterField=hidden&filterValue=nobody%27s%20business",
  "sortBy=hidden",
  "sortBy=id%3B%20drop%20table%20identity.user",
  "sortBy=__proto__",
])("returns an empty list for the unknown column %s", async (query) => {
  expect(await list(`?${query}`)).toEqual({
    status: 200,
    body: { users: [], total: 0 },
    cookies: [],
  });
});

test("search, filter and sort can be combined", async () => {
  const [first = admin, second = admin, third = admin] = others;
  await setRole(system, second.user.id, "user,admin");
  await setRole(system, third.user.id, "user,admin");
  const query = {
    searchField: "name",
    searchOperator: "starts_with",
    searchValue: "aDA",
    filterField: "role",
    filterOperator: "contains",
    filterValue: "USER,a",
    sortBy: "email",
    sortDirection: "desc",
  };
  expect(emailsOf(await list(query))).toEqual([second.email, third.email].toSorted().toReversed());
  expect(emailsOf(await list({ ...query, filterOperator: "ne", filterValue: "user" }))).toEqual(
    [admin.email, second.email, third.email].toSorted().toReversed(),
  );
  expect(emailsOf(await list({ searchValue: first.email.toUpperCase() }))).toEqual([first.email]);
});

test("echoes limit and offset, and the total does not depend on them", async () => {
  const answer = await list({ limit: "2", offset: "3" });
  expect(answer.body).toStrictEqual({
    users: expect.any(Array),
    total: 7,
    limit: 2,
    offset: 3,
    nextCursor: expect.any(String),
  });
  expect(emailsOf(answer)).toEqual(everyone().slice(3, 5));
  expect((await list({ limit: "0", offset: "none" })).body).not.toHaveProperty("limit");
});

test("a client that follows the cursor sees every user once, including those created meanwhile", async () => {
  const emails: string[] = [];
  let page = await list({ limit: "3" });
  emails.push(...emailsOf(page));
  const late = await signUp(system);
  while (page.body.nextCursor !== undefined) {
    page = await list({ limit: "3", cursor: page.body.nextCursor });
    expect(page.body.total).toBe(8);
    emails.push(...emailsOf(page));
  }
  expect(emails).toEqual([...everyone(), late.email]);
  await rows.query(`delete from identity."user" where id = $1`, late.user.id);
});

test("rejects a cursor of another order and a forged one", async () => {
  const { nextCursor = "" } = (await list({ limit: "1", sortBy: "email" })).body;
  expect((await list({ limit: "1", sortBy: "email", cursor: nextCursor })).status).toBe(200);
  expect(await list({ cursor: nextCursor })).toEqual(invalid("cursor"));
  expect(await list({ sortBy: "email", sortDirection: "desc", cursor: nextCursor })).toEqual(
    invalid("cursor"),
  );
  expect(await list({ sortBy: "email", cursor: `B${nextCursor.slice(1)}` })).toEqual(
    invalid("cursor"),
  );
  // A session cookie is signed with the same secret.
  const cookie = admin.browser.cookies.get("auth.session_token") ?? "";
  expect(await list({ cursor: cookie })).toEqual(invalid("cursor"));
});

test("a cursor needs no percent-encoding in a URL", async () => {
  const { nextCursor = "" } = (await list({ limit: "5" })).body;
  expect(emailsOf(await list(`?limit=5&cursor=${nextCursor}`))).toEqual(everyone().slice(5));
});
