import { errorCatalogue, type Operation, wireCode } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { errors } from "../harness/api-key-errors.ts";
import {
  apiKeyConfig,
  apiKeyOperations,
  type ApiKeyUsage,
  createKey,
  hashApiKeyTables,
} from "../harness/api-keys.ts";
import { callInternal, callOperation, expectOk, type Sent } from "../harness/operations.ts";
import { firstOfKind, representatives } from "../harness/matrix.ts";
import { errorResponse } from "../harness/responses.ts";
import { newClient, signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { idsOf, read, subsetsOf, write } from "../../apps/cli/src/prove/ids-in-input.ts";
import { renewAfterChange, useSystem } from "../harness/use-system.ts";
import { signedByGateway } from "../harness/signed-by-gateway.ts";

expectNoLeaks("file");

/** Attack: using another owner's key or id in place of one's own. */

/** A user, and a used key of theirs. */
interface Ids {
  userId: string;
  keyId: string;
  key: string;
}

/** A successful call of an operation, and the expected results with ids of another owner. */
interface Calling {
  by: "owner" | "service" | "gateway" | "operator";
  sent: (ids: Ids) => Sent;
  /** The answer for each set of foreign ids, by their places in the input. Null if the caller may act on all users. */
  foreign: Readonly<Record<string, object | null>>;
}

/** An event that changes nothing. */
const unbanned = (userId: string) => ({
  name: "user.ban-changed",
  version: 1,
  occurredAt: new Date().toISOString(),
  data: { userId, revision: 1, banned: false, banExpires: null },
});

/** Every operation of keys. A missing one does not compile. */
const callings: Record<keyof typeof apiKeyOperations, Calling> = {
  createApiKey: {
    by: "owner",
    sent: ({ userId }) => ({ body: { userId } }),
    foreign: { "body.userId": errors.invalidSession },
  },
  getApiKey: {
    by: "owner",
    sent: ({ keyId: id }) => ({ query: { id } }),
    foreign: { "query.id": errors.notFound },
  },
  listApiKeys: {
    by: "owner",
    sent: () => ({ query: { configId: "default" } }),
    foreign: {},
  },
  updateApiKey: {
    by: "owner",
    sent: ({ keyId, userId }) => ({ body: { keyId, userId, name: "taken" } }),
    foreign: {
      "body.keyId": errors.notFound,
      "body.userId": errors.invalidSession,
      "body.keyId and body.userId": errors.invalidSession,
    },
  },
  rerollApiKey: {
    by: "owner",
    sent: ({ keyId }) => ({ body: { keyId } }),
    foreign: { "body.keyId": errors.notFound },
  },
  deleteApiKey: {
    by: "owner",
    sent: ({ keyId }) => ({ body: { keyId } }),
    foreign: { "body.keyId": errors.notFound },
  },
  readApiKeyUsage: {
    by: "owner",
    sent: ({ keyId: id }) => ({ query: { id } }),
    foreign: { "query.id": errors.notFound },
  },
  adminListApiKeys: {
    by: "operator",
    sent: ({ userId }) => ({ query: { userId } }),
    foreign: { "query.userId": null },
  },
  adminGetApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id } }),
    foreign: { "params.id": null },
  },
  adminCreateApiKey: {
    by: "operator",
    sent: ({ userId }) => ({ body: { userId } }),
    foreign: { "body.userId": null },
  },
  adminListApiKeyAudit: {
    by: "operator",
    sent: ({ keyId: subjectId, userId: actorId }) => ({ query: { actorId, subjectId } }),
    foreign: {
      "query.actorId": null,
      "query.subjectId": null,
      "query.actorId and query.subjectId": null,
    },
  },
  adminReadApiKeyStatistics: { by: "operator", sent: () => ({}), foreign: {} },
  adminReadApiKeyUsage: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id } }),
    foreign: { "params.id": null },
  },
  adminDisableApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id } }),
    foreign: { "params.id": null },
  },
  adminRerollApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id }, body: {} }),
    foreign: { "params.id": null },
  },
  adminUpdateApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id }, body: { remaining: 5 } }),
    foreign: { "params.id": null },
  },
  adminEnableApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id } }),
    foreign: { "params.id": null },
  },
  adminDeleteApiKey: {
    by: "operator",
    sent: ({ keyId: id }) => ({ params: { id } }),
    foreign: { "params.id": null },
  },
  verifyApiKey: { by: "service", sent: ({ key }) => ({ body: { key } }), foreign: {} },
  createApiKeyFor: {
    by: "service",
    sent: ({ userId }) => ({ body: { userId } }),
    foreign: { "body.userId": null },
  },
  updateApiKeyFor: {
    by: "service",
    sent: ({ keyId, userId }) => ({ body: { keyId, userId, remaining: 5 } }),
    foreign: {
      "body.keyId": errors.notFound,
      "body.userId": errors.notFound,
      "body.keyId and body.userId": null,
    },
  },
  deleteExpiredApiKeys: { by: "service", sent: () => ({}), foreign: {} },
  applyApiKeyEvent: {
    by: "gateway",
    sent: ({ keyId: id, userId }) => ({ body: { ...unbanned(userId), id } }),
    foreign: { "body.id": null },
  },
  openKeySession: {
    by: "gateway",
    sent: ({ key }) => ({ body: { key, method: "GET", path: "/get-session" } }),
    foreign: {},
  },
};

/** Returns the places of ids of keys and users. `api-key-organizations.test.ts` tests those of organizations. */
const ownIdsOf = (declared: Operation): string[] =>
  idsOf(declared).filter((place) => !place.endsWith(".organizationId"));

const madeUp: Ids = { userId: "nobody", keyId: "nothing", key: "none" };

const cases = Object.entries(apiKeyOperations).map(([name, declared]: [string, Operation]) => {
  const calling = callings[name as keyof typeof callings];
  const cells = subsetsOf(ownIdsOf(declared)).map((places) => ({
    places,
    name: places.join(" and "),
    expected: calling.foreign[places.join(" and ")],
  }));
  return { declared, calling, cells };
});
const refusing = cases.filter(({ cells }) => cells.some(({ expected }) => expected));
const serving = cases.filter(({ cells }) => cells.some(({ expected }) => expected === null));

test.each(cases)(
  "every id that $declared.name takes is tested here",
  ({ declared, calling, cells }) => {
    const named = ownIdsOf(declared).filter(
      (place) => read(calling.sent(madeUp), place) !== undefined,
    );
    expect(named).toEqual(ownIdsOf(declared));
    expect(Object.keys(calling.foreign)).toEqual(cells.map(({ name }) => name));
  },
);

/** Roles with all, some and none of the admin permissions on keys. */
const roles = {
  admin: {
    user: ["list"],
    apiKey: ["list", "create", "update", "delete"],
    statistics: ["read"],
    audit: ["list"],
  },
  auditor: { apiKey: ["list"], statistics: ["read"], audit: ["list"] },
  support: { user: ["list", "ban"], session: ["list", "revoke"] },
  user: {},
};
const changes = new Set(["create", "update", "delete"]);

const mayNot = ({ permission }: Operation) => {
  const code = permission?.refusal ?? "FORBIDDEN";
  return errorResponse(403, wireCode(code), errorCatalogue[code].message);
};

let ada: TestUser;
let bob: TestUser;
let auditor: TestUser;
let support: TestUser;
const {
  system,
  rows,
  admin: operator,
} = useSystem({
  stores: "postgres",
  config: apiKeyConfig({}, { admin: { roles } }),
});
beforeAll(async () => {
  auditor = await signUpAs(system, "auditor");
  support = await signUpAs(system, "support");
});

const usageOf = (owner: TestUser, id: string) =>
  expectOk(callOperation<ApiKeyUsage>(owner, apiKeyOperations.readApiKeyUsage, { query: { id } }));

const idsOfNewKey = async (owner: TestUser): Promise<Ids> => {
  const { id: keyId, key } = await createKey(owner);
  const userId = owner.user.id;
  await rows.query(
    "insert into apikey.key_usage (key_id, day, user_id, valid) values ($1, now(), $2, 1)",
    keyId,
    userId,
  );
  return { userId, keyId, key };
};

const callAs = (by: Calling["by"], declared: Operation, sent: Sent) => {
  if (by === "gateway") return callInternal(system, declared, sent, signedByGateway(declared.name));
  if (by === "service") return callInternal(system, declared, sent);
  return callOperation(by === "owner" ? ada : operator, declared, sent);
};

let own: Ids;
let another: Ids;
renewAfterChange(
  () => hashApiKeyTables(rows),
  async () => {
    ada = await signUp(system);
    bob = await signUp(system);
    own = await idsOfNewKey(ada);
    another = await idsOfNewKey(bob);
  },
);

const withIdsOf = ({ sent }: Calling, theirs: Ids, places: readonly string[]): Sent =>
  places.reduce((input, place) => write(input, place, read(sent(theirs), place)), sent(own));

describe.each(refusing)("$declared.name", ({ declared, calling, cells }) => {
  test.each(cells.filter(({ expected }) => expected))(
    "a foreign $name is refused as if it did not exist, and changes nothing",
    async ({ places, expected }) => {
      const before = [await hashApiKeyTables(rows), await usageOf(bob, another.keyId)];
      for (const theirs of [another, madeUp]) {
        const answer = callAs(calling.by, declared, withIdsOf(calling, theirs, places));
        expect(await answer).toEqual(expected);
      }
      expect([await hashApiKeyTables(rows), await usageOf(bob, another.keyId)]).toEqual(before);
    },
  );
});

describe.each(serving)("$declared.name", ({ declared, calling, cells }) => {
  test.each(cells.filter(({ expected }) => expected === null))(
    "accepts a foreign $name from callers who may act on all users",
    async ({ places }) => {
      const answer = callAs(calling.by, declared, withIdsOf(calling, another, places));
      expect(await answer).toMatchObject({ status: 200 });
    },
  );
});

test.each(cases)("$declared.name serves its intended callers", async ({ declared, calling }) => {
  expect(await callAs(calling.by, declared, calling.sent(own))).toMatchObject({ status: 200 });
});

test("a list returns keys of the caller only, whoever is named", async () => {
  const query = { userId: another.userId, id: another.keyId };
  const listed = await expectOk(
    callOperation<{ id: string }[]>(ada, apiKeyOperations.listApiKeys, { query }),
  );
  expect(listed.map(({ id }) => id)).toEqual([own.keyId]);
});

const ofAdmins = cases.filter(({ declared }) => declared.access === "permission");

const refuses = async (
  those: typeof cases,
  people: readonly Pick<TestUser, "browser">[],
  expected: (declared: Operation) => object,
) => {
  const before = await hashApiKeyTables(rows);
  for (const { declared, calling } of those)
    for (const person of people)
      for (const ids of [another, madeUp])
        expect([declared.name, await callOperation(person, declared, calling.sent(ids))]).toEqual([
          declared.name,
          expected(declared),
        ]);
  expect(await hashApiKeyTables(rows)).toEqual(before);
};

describe("every operation of admins", () => {
  test("rejects callers without a session", () =>
    refuses(ofAdmins, [newClient(system)], () => errors.unauthorized));

  test("rejects users and admins whose roles lack permissions on keys", () =>
    refuses(ofAdmins, [bob, support], mayNot));

  test("is allowed with read permission if it only reads", async () => {
    const isChange = ({ declared }: (typeof cases)[number]) =>
      changes.has(declared.permission?.action ?? "");
    await refuses(ofAdmins.filter(isChange), [auditor], mayNot);
    for (const { declared, calling } of ofAdmins.filter((one) => !isChange(one))) {
      const answer = await callOperation(auditor, declared, calling.sent(another));
      expect([declared.name, answer]).toMatchObject([declared.name, { status: 200 }]);
    }
  });
});

// One function checks the permission of every operation. The role is read for each request.
const firstOfMethod = firstOfKind(({ declared }: (typeof cases)[number]) => declared.method);
test.each(representatives(ofAdmins, firstOfMethod))(
  "$declared.name rejects an admin right after losing the role",
  async (one) => {
    const { declared, calling } = one;
    const former = await signUpAs(system, "admin");
    expect(await callOperation(former, declared, calling.sent(another))).toMatchObject({
      status: 200,
    });
    another = await idsOfNewKey(bob);
    await rows.query("update identity.user set role = 'user' where id = $1", former.user.id);
    await refuses([one], [former], mayNot);
  },
);
