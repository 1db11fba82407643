import type { OperationReply, Wire } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { errors, validationError } from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  apiKeyOperations,
  type CreatedKey,
  createKey,
  getKey,
  verify,
} from "../harness/api-keys.ts";
import { apiKeyAudit, byUser } from "../harness/audit.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, readSession, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

type Owned = Wire<OperationReply<typeof apiKeyOperations.adminGetApiKey>>;
type Statistics = Wire<OperationReply<typeof apiKeyOperations.adminReadApiKeyStatistics>>;

const mayNotCreate = errorResponse(
  403,
  "YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS",
  "You are not allowed to create API keys",
);

let ada: TestUser;
const roles = {
  admin: {
    user: ["ban", "impersonate"],
    apiKey: ["list", "create", "delete"],
    statistics: ["read"],
  },
  issuer: { apiKey: ["create"] },
  user: {},
};
const config = apiKeyConfig(
  { enableMetadata: true, enableSessionForAPIKeys: true },
  { admin: { roles, allowImpersonatingAdmins: true } },
);
const { system, rows, admin } = useSystem({ stores: "postgres", config });
beforeEach(async () => {
  ada = await signUp(system);
});

const createAs = (by: TestUser, body: object) =>
  callOperation<CreatedKey>(by, apiKeyOperations.adminCreateApiKey, { body });
const show = (id: string) =>
  callOperation<Owned>(admin, apiKeyOperations.adminGetApiKey, { params: { id } });

describe("a key that an admin creates", () => {
  test("belongs to its owner with all given limits, and shows its text only once", async () => {
    const limits = {
      name: "billing",
      prefix: "acme_",
      remaining: 5,
      refillAmount: 5,
      refillInterval: 1,
      rateLimitMax: 3,
      rateLimitTimeWindow: 60_000,
      permissions: { invoice: ["read"] },
      metadata: { plan: "free" },
    };
    const { key, ...shown } = await expectOk(
      createAs(admin, { userId: ada.user.id, expiresIn: 86_400, ...limits }),
    );
    expect(shown).toMatchObject({ userId: ada.user.id, enabled: true, ...limits });
    expect(key).toMatch(/^acme_/);
    expect(await verify(system, key, { invoice: ["read"] })).toMatchObject({ valid: true });
    expect(await getKey(ada, shown.id)).toMatchObject({ id: shown.id, remaining: 4 });
    expect(await apiKeyAudit(rows, shown.id)).toEqual([
      { action: "api-key.created", ...byUser(admin) },
    ]);
    const owned = await expectOk(show(shown.id));
    expect(owned).toMatchObject({
      id: shown.id,
      disabledByAdmin: false,
      successorId: null,
      user: { id: ada.user.id, name: "Ada", email: ada.email, image: null },
    });
    expect(JSON.stringify(owned)).not.toContain(key);
  });

  test("is not created for unknown, missing or banned users", async () => {
    expect(await createAs(admin, { userId: "nobody" })).toEqual(errors.userNotFound);
    for (const userId of [undefined, null, ""])
      expect(await createAs(admin, { userId })).toEqual(validationError("body", "userId"));
    await callAdmin(admin, "/ban-user", { userId: ada.user.id });
    expect(await createAs(admin, { userId: ada.user.id })).toEqual(errors.banned);
  });

  test("follows the rules for keys", async () => {
    const userId = ada.user.id;
    expect(await createAs(admin, { userId, refillAmount: 5 })).toEqual(errors.amountAlone);
    expect(await createAs(admin, { userId, prefix: "a b" })).toEqual(
      validationError("body", "prefix"),
    );
    expect(await createAs(admin, { userId, remaining: -1 })).toEqual(
      validationError("body", "remaining"),
    );
  });

  test("is a different one for each of 16 concurrent calls", async () => {
    const made = await race(() => expectOk(createAs(admin, { userId: ada.user.id })));
    expect(new Set(made.map(({ key }) => key)).size).toBe(16);
  });

  /** Attack: a key opens a session of its owner, so a small permission would open everything. */
  test("cannot be created for an admin by a non-admin, but for a user", async () => {
    const issuer = await signUpAs(system, "issuer");
    expect(await createAs(issuer, { userId: admin.user.id })).toEqual(mayNotCreate);
    const { key } = await expectOk(createAs(issuer, { userId: ada.user.id }));
    const answer = await createBrowserLike(system.url).get("/get-session", { "x-api-key": key });
    expect(await answer.json()).toMatchObject({ user: { id: ada.user.id } });
    expect((await createAs(admin, { userId: admin.user.id })).status).toBe(200);
  });

  /** Attack: keeping a sign-in method beyond the end of an impersonation, or beyond the key that created it. */
  test("cannot be created in an impersonation or with a key", async () => {
    const [other, target] = [await signUpAs(system, "admin"), await signUpAs(system, "admin")];
    await callAdmin(other, "/impersonate-user", { userId: target.user.id });
    expect(await readSession(other.browser)).toMatchObject({ user: { id: target.user.id } });
    expect(await createAs(other, { userId: ada.user.id })).toEqual(errors.forbidden);
    const { key } = await createKey(admin);
    const answer = await createBrowserLike(system.url).post(
      apiKeyOperations.adminCreateApiKey.path,
      { userId: ada.user.id },
      { "x-api-key": key },
    );
    expect([answer.status, await answer.json()]).toEqual([403, errors.forbidden.body]);
  });
});

describe("a key that an admin reads", () => {
  test("has no user if identity does not know the owner", async () => {
    await rows.query(
      "insert into apikey.api_key (id, key, user_id, created_at, updated_at) values ('lone', 'lone', 'gone', now(), now())",
    );
    expect(await expectOk(show("lone"))).toMatchObject({ id: "lone", user: null });
  });

  test("is not found if it does not exist", async () => {
    expect(await show("nothing")).toEqual(errors.notFound);
    expect(await show("x".repeat(256))).toEqual(validationError("query", "id"));
  });
});

describe("statistics", () => {
  const read = (query: object = {}) =>
    callOperation<Statistics>(admin, apiKeyOperations.adminReadApiKeyStatistics, {
      query: { ...query },
    });

  test("count the uses of all keys on every requested day", async () => {
    const sum = async () => (await expectOk(read())).days.at(-1) ?? { valid: 0, refused: 0 };
    const before = await sum();
    const other = await signUp(system);
    const keys = [await createKey(ada), await createKey(other)];
    for (const { key } of keys) await verify(system, key);
    for (const { key } of keys) await verify(system, key, { invoice: ["read"] });
    await until(async () => (await sum()).refused === before.refused + 2, {
      describe: "four counted uses",
    });
    // Uses of earlier tests may have been written meanwhile. None of them was refused.
    expect((await sum()).valid).toBeGreaterThanOrEqual(before.valid + 2);
    const { days } = await expectOk(read({ from: "2020-01-01", to: "2020-01-03" }));
    expect(days).toEqual(
      ["2020-01-01", "2020-01-02", "2020-01-03"].map((day) => ({ day, valid: 0, refused: 0 })),
    );
  });

  test.each([
    ["from", { from: "yesterday" }],
    ["to", { to: "2020-02-30" }],
    ["from", { from: "2020-01-02", to: "2020-01-01" }],
    ["from", { from: "2020-01-01", to: "2021-02-04" }],
  ])("rejects an invalid %s: %j", async (member, query) => {
    expect(await read(query)).toEqual(validationError("query", member));
  });
});
