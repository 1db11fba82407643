import { expectNoLeaks } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { errors, validationError } from "../harness/api-key-errors.ts";
import {
  type AdminKey,
  apiKeyConfig,
  apiKeyOperations,
  type ApiKeyUsage,
  clientWithKey,
  type CreatedKey,
  createKey,
  getSession,
  hashApiKeyTables,
  type ListedKeys,
  untilUsage,
  verificationCode,
  verify,
} from "../harness/api-keys.ts";
import { apiKeyAudit, byUser } from "../harness/audit.ts";
import { callInternal, callOperation, expectOk } from "../harness/operations.ts";
import {
  addMember,
  createOrganization,
  organizationOperations,
  type OrganizationView,
} from "../harness/organizations.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signUp, signUpAs, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const all = ["create", "update", "delete"];
const everything = {
  organization: ["update", "delete"],
  member: all,
  invitation: ["create", "cancel"],
  team: all,
};
const roles = {
  owner: { ...everything, apiKey: ["create", "read", "update", "delete"] },
  admin: { ...everything, apiKey: ["create", "read", "update", "delete"] },
  member: {},
  /** Sees keys, and changes none. */
  auditor: { apiKey: ["read"] },
};

const notMember = errorResponse(
  403,
  "USER_NOT_MEMBER_OF_ORGANIZATION",
  "You are not a member of the organization that owns this API key.",
);
const insufficient = errorResponse(
  403,
  "INSUFFICIENT_API_KEY_PERMISSIONS",
  "You do not have permission to perform this action on organization API keys.",
);

let owner: TestUser;
let organization: OrganizationView;
const { system, rows, admin } = useSystem({
  stores: "postgres",
  config: apiKeyConfig(
    { organizationKeys: { enabled: true }, enableSessionForAPIKeys: true },
    {
      organization: { roles },
      admin: {
        roles: {
          admin: {
            user: ["list", "ban", "delete"],
            organization: ["list", "get", "delete"],
            apiKey: ["list", "create", "update", "delete"],
          },
          support: { apiKey: ["list", "create", "update", "delete"] },
          user: {},
        },
      },
    },
  ),
});
beforeEach(async () => {
  owner = await signUp(system);
  organization = await createOrganization(owner);
});

const createFor = (client: TestUser, own: object = {}) =>
  callOperation<CreatedKey>(client, apiKeyOperations.createApiKey, {
    body: { organizationId: organization.id, ...own },
  });
const create = (own: object = {}) => expectOk(createFor(owner, own));
const list = (client: TestUser, query: object = {}) =>
  callOperation<ListedKeys>(client, apiKeyOperations.listApiKeys, {
    query: { organizationId: organization.id, ...query },
  });
const get = (client: TestUser, id: string) =>
  callOperation<CreatedKey>(client, apiKeyOperations.getApiKey, { query: { id } });

const join = async (role: string): Promise<TestUser> => {
  const person = await signUp(system);
  await addMember(system, person, { organizationId: organization.id, role });
  return person;
};

/** The calls of a member about a key, by the permission that each needs. */
const callsAbout = (client: TestUser, id: string) =>
  ({
    create: () => createFor(client),
    read: () => get(client, id),
    list: () => list(client),
    usage: () => callOperation(client, apiKeyOperations.readApiKeyUsage, { query: { id } }),
    update: () =>
      callOperation(client, apiKeyOperations.updateApiKey, { body: { keyId: id, name: "New" } }),
    reroll: () => callOperation(client, apiKeyOperations.rerollApiKey, { body: { keyId: id } }),
    delete: () => callOperation(client, apiKeyOperations.deleteApiKey, { body: { keyId: id } }),
  }) as const;

describe("a key of an organization", () => {
  test("is verified with the organization as its owner, and counts its usage there", async () => {
    const { key, ...shown } = await create({ name: "CI" });
    expect(shown).toMatchObject({ name: "CI", userId: null, organizationId: organization.id });
    const { id } = shown;
    const verdict = await verify(system, key);
    expect(verdict).toMatchObject({
      valid: true,
      key: { id, userId: null, organizationId: organization.id },
    });
    const usage = () =>
      expectOk(
        callOperation<ApiKeyUsage>(owner, apiKeyOperations.readApiKeyUsage, { query: { id } }),
      );
    await untilUsage(usage, { valid: 1 });
    expect(await expectOk(list(owner))).toMatchObject({ apiKeys: [{ id }], total: 1 });
    expect(await apiKeyAudit(rows, id)).toEqual([{ action: "api-key.created", ...byUser(owner) }]);
  });

  /** Attack: a member uses a key of the organization in place of a session. */
  test("opens no session", async () => {
    const { key } = await create();
    expect(await getSession(clientWithKey(system, key))).toEqual(
      errorResponse(
        401,
        "INVALID_REFERENCE_ID_FROM_API_KEY",
        "The reference id from the API key is invalid.",
      ),
    );
  });

  test("is managed as the roles of the organization say", async () => {
    const { id } = await create();
    const expected = {
      admin: {
        create: 200,
        read: 200,
        list: 200,
        usage: 200,
        update: 200,
        reroll: 200,
        delete: 200,
      },
      auditor: {
        create: 403,
        read: 200,
        list: 200,
        usage: 200,
        update: 403,
        reroll: 403,
        delete: 403,
      },
      member: {
        create: 403,
        read: 403,
        list: 403,
        usage: 403,
        update: 403,
        reroll: 403,
        delete: 403,
      },
    };
    for (const [role, statuses] of Object.entries(expected).toReversed()) {
      const person = await join(role);
      for (const [name, call] of Object.entries(callsAbout(person, id))) {
        const answer = await call();
        expect([role, name, answer.status]).toEqual([role, name, statuses[name as "read"]]);
        if (answer.status === 403) expect(answer).toEqual(insufficient);
      }
    }
  });

  /** Attack: using the id of another organization or its key. */
  test("is hidden from strangers, and so is its organization", async () => {
    const { id } = await create();
    const stranger = await signUp(system);
    await createOrganization(stranger);
    const before = await hashApiKeyTables(rows);
    for (const named of [organization.id, "nothing"]) {
      const organizationId = { organizationId: named };
      expect(await createFor(stranger, organizationId)).toEqual(notMember);
      expect(await list(stranger, organizationId)).toEqual(notMember);
    }
    for (const keyId of [id, "nothing"]) {
      const { create: _, list: _l, ...calls } = callsAbout(stranger, keyId);
      for (const call of Object.values(calls)) expect(await call()).toEqual(errors.notFound);
    }
    expect(await hashApiKeyTables(rows)).toEqual(before);
  });

  test("outlives the membership of its creator, who loses access immediately", async () => {
    const member = await join("admin");
    const { id, key } = await expectOk(createFor(member));
    const { members } = await expectOk(
      callOperation<OrganizationView>(owner, organizationOperations.getFullOrganization, {
        query: { organizationId: organization.id },
      }),
    );
    const memberIdOrEmail = members.find(({ userId }) => userId === member.user.id)?.id;
    await expectOk(
      callOperation(owner, organizationOperations.removeMember, {
        body: { organizationId: organization.id, memberIdOrEmail },
      }),
    );
    expect(await get(member, id)).toEqual(errors.notFound);
    expect(await list(member)).toEqual(notMember);
    expect(await verificationCode(system, key)).toBeNull();
  });

  test.each(["ban-user", "remove-user"])("outlives its creator: %s", async (act) => {
    const member = await join("admin");
    const { id, key } = await expectOk(createFor(member));
    const own = await createKey(member);
    await callAdmin(admin, `/${act}`, { userId: member.user.id });
    expect(await verificationCode(system, own.key)).not.toBeNull();
    expect(await verificationCode(system, key)).toBeNull();
    expect(await expectOk(get(owner, id))).toMatchObject({ id });
  });

  test("is deleted with its organization, and none of 16 that are created meanwhile is left", async () => {
    const { key } = await create();
    const body = { organizationId: organization.id };
    const [answers] = await Promise.all([
      race(() => createFor(owner)),
      callOperation(owner, organizationOperations.deleteOrganization, { body }),
    ]);
    for (const { status } of answers) expect([200, 401, 403]).toContain(status);
    expect(await verificationCode(system, key)).toBe("INVALID_API_KEY");
    expect(await createFor(owner)).toEqual(notMember);
    const ofOrganization = "select from apikey.api_key where organization_id = $1";
    expect(await rows.query(ofOrganization, organization.id)).toEqual([]);
  });
});

test("the configuration of users contradicts an organization", async () => {
  expect(await createFor(owner, { configId: "default" })).toEqual(
    validationError("body", "configId"),
  );
});

test("the configuration of organizations needs an organization", async () => {
  const body = { configId: "organization" };
  expect(await callOperation(owner, apiKeyOperations.createApiKey, { body })).toEqual(
    errorResponse(
      400,
      "ORGANIZATION_ID_REQUIRED",
      "Organization ID is required for organization-owned API keys.",
    ),
  );
});

describe("services", () => {
  test("create and change keys of an organization, with limits", async () => {
    const body = { organizationId: organization.id, remaining: 3 };
    const { id } = await expectOk(
      callInternal<CreatedKey>(system, apiKeyOperations.createApiKeyFor, { body }),
    );
    const update = (named: object) =>
      callInternal<CreatedKey>(system, apiKeyOperations.updateApiKeyFor, {
        body: { keyId: id, remaining: 9, ...named },
      });
    expect(await update({ userId: owner.user.id })).toEqual(errors.notFound);
    expect(await update({ organizationId: "nothing" })).toEqual(errors.notFound);
    expect(await expectOk(update({ organizationId: organization.id }))).toMatchObject({
      remaining: 9,
    });
  });

  test("cannot create keys for an organization that does not exist", async () => {
    const body = { organizationId: "nothing" };
    expect(await callInternal(system, apiKeyOperations.createApiKeyFor, { body })).toEqual(
      errorResponse(400, "ORGANIZATION_NOT_FOUND", "Organization not found"),
    );
  });
});

describe("admins", () => {
  const adminCreate = (client: TestUser, body: object) =>
    callOperation<CreatedKey>(client, apiKeyOperations.adminCreateApiKey, { body: { ...body } });
  const adminList = (query: object) =>
    expectOk(
      callOperation<ListedKeys>(admin, apiKeyOperations.adminListApiKeys, { query: { ...query } }),
    );

  test("create keys for an organization, and list them with and by their owner", async () => {
    const organizationId = organization.id;
    const { id, key } = await expectOk(adminCreate(admin, { organizationId, remaining: 5 }));
    await createKey(owner);
    expect(await verificationCode(system, key)).toBeNull();
    const { name, slug } = organization;
    expect(await adminList({ organizationId })).toMatchObject({
      apiKeys: [{ id, user: null, organization: { id: organizationId, name, slug } }],
      total: 1,
    });
    expect((await adminList({ userId: owner.user.id })).apiKeys).toMatchObject([
      { user: { id: owner.user.id }, organization: null },
    ]);
  });

  test.each([{}, { organizationId: "nothing" }])(
    "must name one existing owner: %j",
    async (body) => {
      expect((await adminCreate(admin, body)).status).toBe(400);
    },
  );

  /** Attack: a delegated admin gets a key of an organization whose owner has more permissions. */
  test("act on an organization's keys only with every permission of its owners", async () => {
    const delegate = await signUpAs(system, "support");
    const strong = await signUpAs(system, "admin");
    const { id: organizationId } = await createOrganization(strong);
    const { id } = await expectOk(adminCreate(admin, { organizationId }));
    const before = await hashApiKeyTables(rows);
    expect((await adminCreate(delegate, { organizationId })).status).toBe(403);
    for (const name of ["adminUpdateApiKey", "adminRerollApiKey", "adminDisableApiKey"] as const) {
      const body = name === "adminUpdateApiKey" ? { remaining: 5 } : {};
      const answer = await callOperation(delegate, apiKeyOperations[name], {
        params: { id },
        body,
      });
      expect([name, answer.status]).toEqual([name, 403]);
    }
    expect(await hashApiKeyTables(rows)).toEqual(before);
    const { id: weak } = await create();
    const params = { id: weak };
    expect(
      await expectOk(
        callOperation<AdminKey>(delegate, apiKeyOperations.adminDisableApiKey, { params }),
      ),
    ).toMatchObject({ organizationId: organization.id, disabledByAdmin: true });
  });
});
