import type { Event } from "@latchkey/contracts";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { newTextId, seedKey, serviceCaller } from "../db/test-apikey.fixture.ts";
import { openKeys, outcomeOf, tally } from "../keys/test-keys.fixture.ts";
import { storedKey } from "../keys/key-text.ts";
import { banOf, claimOf, deletionOf as departureOf } from "../owners/test-owners.fixture.ts";
import {
  disableKeysOfSecured,
  endKeysOfClaimed,
  forgetOrganization,
  forgetOwner,
  recordBan,
  sweepDepartedOrganizations,
} from "../owners/owner-events.ts";
import { upsertClaimed } from "../owners/queries.ts";
import { exportPerson } from "../export/export-person.ts";
import { openKeySession } from "../verification/operations.ts";
import { addUsage, listUsage } from "../usage/queries.ts";

expectNoLeaks("file");

const count = 16;
const all = ["create", "read", "update", "delete"];

const fixture = await openKeys();
const deps = fixture.depsWith({ tree: { apiKey: { organizationKeys: { enabled: true } } } });

let organizationId: string;
let owner: Person;
beforeEach(() => {
  organizationId = newTextId();
  owner = withToken();
  fixture.organizations.set(organizationId, new Map([[owner.user.id, { actions: all }]]));
});

/** Returns the session of a user who authenticated at a time. */
const signedInAt = ({ session }: Person, authenticatedAt: Date) => ({
  ...session,
  authentication: { authenticatedAt, secondFactorAt: null, methods: "password" },
});

/** A signed-in user. */
function withToken(): Person {
  const person = newPerson();
  return {
    ...person,
    caller: { ...person.caller, sessionToken: newTextId() },
    session: signedInAt(person, new Date()),
  };
}

const join = (actions: readonly string[], lacksSecondFactor = false): Person => {
  const person = withToken();
  fixture.organizations.get(organizationId)?.set(person.user.id, { actions, lacksSecondFactor });
  return person;
};

const create = (person = owner, own: object = {}, using = deps) =>
  fixture.create(person, { organizationId, ...own }, using);

const use = async (key: string, passesUnrestricted = false) => {
  const keyUse = { key: storedKey(deps.config.apiKey, key), permissions: null };
  return deps.useKey({ ...keyUse, passesUnrestricted });
};

const deletionOf = (id: string): Event<"organization.deleted"> => ({
  id: newTextId(),
  name: "organization.deleted",
  version: 1,
  occurredAt: new Date().toISOString(),
  data: { organizationId: id, userIds: [] },
});

const keysOf = () =>
  fixture.db
    .selectFrom("apiKey")
    .select("id")
    .where("organizationId", "=", organizationId)
    .execute();

describe("a key of an organization", () => {
  test("names the organization as its owner, and no user", async () => {
    const { key, ...created } = await create();
    expect(created).toMatchObject({ userId: null, organizationId });
    expect(await fixture.get(owner, created.id, deps)).toEqual(created);
    expect(await use(key)).toMatchObject({
      outcome: "valid",
      row: { userId: null, organizationId },
    });
    const [entry] = await fixture.auditOf(created.id);
    expect(entry).toMatchObject({
      actorId: owner.user.id,
      action: "api-key.created",
      after: { userId: null, organizationId },
    });
  });

  test("is shown to the SDK 1.7 with its reference and configuration", async () => {
    const caller = { ...owner.caller, sdkVersion: "1.7" as const };
    const created = await create({ ...owner, caller });
    expect(created).toMatchObject({ referenceId: organizationId, configId: "organization" });
    const { id } = created;
    expect(await fixture.page(owner, { organizationId }, deps)).toMatchObject({
      apiKeys: [{ id, referenceId: organizationId, configId: "organization" }],
      total: 1,
    });
    for (const configId of ["default", "other"])
      expect(await fixture.page(owner, { organizationId, configId }, deps)).toMatchObject({
        total: 0,
      });
  });

  test("is not among the keys of the member who created it", async () => {
    await create();
    expect(await fixture.list(owner)).toEqual([]);
  });

  test("stays valid when its creator leaves, is banned, or is deleted", async () => {
    const member = join(all);
    const { id, key } = await create(member);
    fixture.organizations.get(organizationId)?.delete(member.user.id);
    await recordBan(deps, banOf(member.user.id, {}));
    expect(await use(key)).toMatchObject({ outcome: "valid" });
    expect(await outcomeOf(fixture.get(member, id, deps))).toBe("KEY_NOT_FOUND");
    expect(await fixture.get(owner, id, deps)).toMatchObject({ id });
  });

  /** Attack: a key of an organization acts as the member who created it. */
  test("never stands for a session, and is not charged for the attempt", async () => {
    const { key } = await fixture.createFor({ organizationId, remaining: 1 }, deps);
    const body = { key, method: "GET", path: "/get-session" };
    const call = { caller: serviceCaller("gateway"), body } as Parameters<typeof openKeySession>[1];
    expect(await outcomeOf(openKeySession(deps, call))).toBe("INVALID_REFERENCE_ID_FROM_API_KEY");
    expect(await use(key)).toMatchObject({ outcome: "valid" });
  });

  /** Attack: an organization with the id of a user, as imported databases may have, shares the keys of that user. */
  test("is kept apart from the keys of a user with the same id", async () => {
    const person = withToken();
    const id = person.user.id;
    fixture.organizations.set(id, new Map([[owner.user.id, { actions: all }]]));
    const mine = await fixture.create(person, {}, deps);
    const theirs = await fixture.create(owner, { organizationId: id }, deps);
    expect(await outcomeOf(fixture.get(person, theirs.id, deps))).toBe("KEY_NOT_FOUND");
    expect(await fixture.list(person)).toMatchObject([{ id: mine.id }]);
    expect(await fixture.page(owner, { organizationId: id }, deps)).toMatchObject({ total: 1 });
    await forgetOrganization(deps, deletionOf(id));
    expect(await use(mine.key)).toMatchObject({ outcome: "valid" });
    expect(await use(theirs.key)).toEqual({ outcome: "unknown" });
  });
});

describe("a member's role", () => {
  test.each(["create", "read", "update", "delete"])(
    "permits with `%s` only that, and no other action is possible without its own permission",
    async (action) => {
      const { id } = await create();
      const person = join([action]);
      const outcomes = {
        create: await outcomeOf(create(person)),
        read: await outcomeOf(fixture.get(person, id, deps)),
        list: await outcomeOf(fixture.page(person, { organizationId }, deps)),
        update: await outcomeOf(fixture.update(person, { keyId: id, name: "New" }, deps)),
        reroll: await outcomeOf(fixture.reroll(person, { keyId: id }, deps)),
        delete: await outcomeOf(fixture.erase(person, id, deps)),
      };
      const refused = "INSUFFICIENT_API_KEY_PERMISSIONS";
      const expected = (needed: string) => (needed === action ? "done" : refused);
      expect(outcomes).toEqual({
        create: expected("create"),
        read: expected("read"),
        list: expected("read"),
        update: expected("update"),
        reroll: refused, // needs both `create` and `update`
        delete: expected("delete"),
      });
    },
  );

  test("does not count without the second factor that the organization requires", async () => {
    const { id } = await create();
    const person = join(all, true);
    expect(await outcomeOf(create(person))).toBe("TWO_FACTOR_REQUIRED");
    expect(await outcomeOf(fixture.get(person, id, deps))).toBe("TWO_FACTOR_REQUIRED");
  });

  test("is checked before a member re-rolls a key, which then works", async () => {
    const { id } = await create();
    const successor = await fixture.reroll(join(["create", "update"]), { keyId: id }, deps);
    expect(successor).toMatchObject({ organizationId, userId: null });
    expect(await use(successor.key)).toMatchObject({ outcome: "valid" });
  });

  test("gives a stranger no answer that a missing key or organization would not give", async () => {
    const stranger = withToken();
    const { id } = await create();
    const trials = [
      fixture.get(stranger, id, deps),
      fixture.update(stranger, { keyId: id, name: "New" }, deps),
      fixture.reroll(stranger, { keyId: id }, deps),
      fixture.erase(stranger, id, deps),
    ];
    expect(await tally(trials)).toEqual({ KEY_NOT_FOUND: trials.length });
    for (const named of [organizationId, newTextId()]) {
      const refused = "USER_NOT_MEMBER_OF_ORGANIZATION";
      expect(await outcomeOf(create(stranger, { organizationId: named }))).toBe(refused);
      expect(await outcomeOf(fixture.page(stranger, { organizationId: named }, deps))).toBe(
        refused,
      );
    }
  });

  /** Attack: a member sets limits and permissions, which only services and admins may set. */
  test("does not permit limits and permissions", async () => {
    for (const own of [{ remaining: 5 }, { permissions: { files: ["read"] } }])
      expect(await outcomeOf(create(owner, own))).toBe("SERVER_ONLY_PROPERTY");
  });
});

/** Attack: a thief of an old session of a member makes a key that outlasts the session. */
test("a key is created, changed and re-rolled only in a strong session of a member", async () => {
  const { id: keyId } = await create();
  const thief = { ...owner, session: signedInAt(owner, new Date(0)) };
  const change = { keyId, name: "renamed" };
  const refused = [
    create(thief),
    fixture.update(thief, change, deps),
    fixture.reroll(thief, { keyId }, deps),
  ];
  const outcomes = await Promise.all(refused.map(outcomeOf));
  expect(new Set(outcomes)).toEqual(new Set(["SESSION_IS_NOT_FRESH"]));
  expect(await keysOf()).toEqual([{ id: keyId }]);
  expect(await fixture.get(thief, keyId, deps)).toMatchObject({ name: null });
  expect(await outcomeOf(fixture.erase(thief, keyId, deps))).toBe("done");
});

describe("a member who is removed during the request", () => {
  /** A member whom the organization removes after some answers to the apikey service. */
  const leavingAfter = (answers: number): Person => {
    const person = withToken();
    const members = fixture.organizations.get(organizationId);
    let answered = 0;
    members?.set(person.user.id, {
      get actions() {
        answered += 1;
        if (answered === answers) members.delete(person.user.id);
        return all;
      },
    });
    return person;
  };

  test("gets no new key, and none is left", async () => {
    expect(await outcomeOf(create(leavingAfter(1)))).toBe("USER_NOT_MEMBER_OF_ORGANIZATION");
    expect(await keysOf()).toEqual([]);
  });

  test.each([0, 60])("does not re-roll a key with an overlap of %i s", async (overlapSeconds) => {
    const first = await fixture.createFor({ organizationId, remaining: 3 }, deps);
    const { id, key } = await fixture.reroll(
      owner,
      { keyId: first.id, overlapSeconds: 3600 },
      deps,
    );
    const before = await fixture.rowOf(id);
    const trial = fixture.reroll(leavingAfter(2), { keyId: id, overlapSeconds }, deps);
    expect(await outcomeOf(trial)).toBe("KEY_NOT_FOUND");
    expect(await keysOf()).toHaveLength(2);
    expect(await fixture.rowOf(id)).toEqual({ ...before, updatedAt: expect.any(Date) as Date });
    expect(await fixture.rowOf(first.id)).toMatchObject({ successorId: id });
    for (const text of [key, first.key])
      expect(await use(text)).toMatchObject({ outcome: "valid" });
    expect((await fixture.auditOf(id)).map(({ action }) => action)).toEqual([
      "api-key.created",
      "api-key.rerolled",
      "api-key.updated",
    ]);
  });

  test("keeps no key if the organization service fails meanwhile", async () => {
    const { organization } = deps;
    let callCount = 0;
    const failing = Object.assign(Object.create(organization) as typeof organization, {
      call: async (...given: Parameters<typeof organization.call>) => {
        callCount += 1;
        if (callCount > 1) throw new Error("the service is down");
        return organization.call(...given);
      },
    });
    await expect(create(owner, {}, { ...deps, organization: failing })).rejects.toThrow("down");
    expect(await keysOf()).toEqual([]);
  });
});

describe("the creator of a key of an organization", () => {
  const creatorOf = async (id: string) => (await fixture.rowOf(id))?.createdBy;

  test("is recorded by creation and re-roll, and not for services", async () => {
    const member = join(all);
    const { id } = await create();
    expect(await creatorOf(id)).toBe(owner.user.id);
    expect(await creatorOf((await fixture.reroll(member, { keyId: id }, deps)).id)).toBe(
      member.user.id,
    );
    expect(await creatorOf((await fixture.createFor({ organizationId }, deps)).id)).toBeNull();
    expect(await creatorOf((await fixture.create(member, {}, deps)).id)).toBeNull();
  });

  /** Attack: a stranger who registered the address keeps a key of an organization that the user joined. */
  test("takes the key along if the owner of the address claims the user", async () => {
    const member = join(all);
    const [theirs, others] = [await create(member), await create()];
    const occurredAt = new Date(Date.now() + 1_000);
    await upsertClaimed(fixture.db, member.user.id, occurredAt);
    expect(await use(theirs.key)).toEqual({ outcome: "unknown" });
    await endKeysOfClaimed(deps, claimOf(member.user.id, occurredAt));
    expect(await keysOf()).toEqual([{ id: others.id }]);
    expect((await fixture.auditOf(theirs.id)).at(-1)).toMatchObject({
      actorKind: "system",
      action: "api-key.deleted",
      before: { organizationId },
    });
    expect(await use(others.key)).toMatchObject({ outcome: "valid" });
  });

  test("has the key disabled if an admin secures the user, also a successor that is written meanwhile", async () => {
    const member = join(all);
    const [theirs, others] = [await create(member), await create()];
    const occurredAt = new Date(Date.now() + 1_000);
    const secured = { ...claimOf(member.user.id, occurredAt), name: "user.secured" as const };
    await Promise.all([
      disableKeysOfSecured(deps, secured),
      ...Array.from({ length: count }, () => outcomeOf(create(member))),
    ]);
    const created = await fixture.db
      .selectFrom("apiKey")
      .select("disabledByAdmin")
      .where("createdBy", "=", member.user.id)
      .execute();
    expect(created.map(({ disabledByAdmin }) => disabledByAdmin)).not.toContain(false);
    expect(await use(theirs.key)).toMatchObject({ outcome: "disabled" });
    expect(await use(others.key)).toMatchObject({ outcome: "valid" });
    expect((await fixture.auditOf(theirs.id)).at(-1)).toMatchObject({ action: "api-key.disabled" });
  });

  test("is exported with the key's id, and forgotten with the user", async () => {
    const { id, key } = await create();
    const exported: [string, unknown][] = [];
    await exportPerson(deps, { id: owner.user.id }, async (...item) => void exported.push(item));
    expect(exported).toEqual([
      ["organizationApiKeys", { id, organizationId, createdAt: expect.any(Date) as Date }],
    ]);
    await forgetOwner(deps, departureOf(owner.user.id));
    expect(await creatorOf(id)).toBeNull();
    expect(await use(key)).toMatchObject({ outcome: "valid" });
  });
});

describe("a contradictory request", () => {
  test.each([
    [
      "an organization without the option",
      {},
      { organizationId: "any" },
      "ORGANIZATION_KEYS_DISABLED",
    ],
    [
      "the configuration of users",
      { enabled: true },
      { configId: "default", organizationId: "any" },
      "VALIDATION_ERROR",
    ],
    [
      "no organization",
      { enabled: true },
      { configId: "organization" },
      "ORGANIZATION_ID_REQUIRED",
    ],
  ])("with %s is refused", async (_what, organizationKeys, body, code) => {
    const using = fixture.depsWith({ tree: { apiKey: { organizationKeys } } });
    expect(await outcomeOf(fixture.create(owner, body, using))).toBe(code);
  });

  test("of a service that names a user and an organization is refused", async () => {
    const body = { organizationId, userId: owner.user.id };
    expect(await outcomeOf(fixture.createFor(body, deps))).toBe("VALIDATION_ERROR");
    expect(await outcomeOf(fixture.createFor({ organizationId: newTextId() }, deps))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
  });

  test("of a service about the key of another owner is refused", async () => {
    const { id: keyId } = await create();
    const change = { keyId, remaining: 5 };
    for (const named of [{ userId: owner.user.id }, { organizationId: newTextId() }])
      expect(await outcomeOf(fixture.updateFor({ ...change, ...named }, deps))).toBe(
        "KEY_NOT_FOUND",
      );
    expect(await fixture.updateFor({ ...change, organizationId }, deps)).toMatchObject({
      remaining: 5,
    });
  });
});

describe("while the organization service is down", () => {
  const down = () => {
    const { organization: _, ...others } = deps;
    return { ...others, organization: fixture.unreachable.organization };
  };

  test("management fails, verification works, and nothing is lost", async () => {
    const { id, key } = await create();
    await expect(create(owner, {}, down())).rejects.not.toHaveProperty("code", "KEY_NOT_FOUND");
    await expect(fixture.get(owner, id, down())).rejects.toThrow();
    expect(await use(key)).toMatchObject({ outcome: "valid" });
    expect(await fixture.get(owner, id, deps)).toMatchObject({ id });
    const own = await fixture.create(owner, {}, down());
    expect(await fixture.get(owner, own.id, down())).toMatchObject({ id: own.id });
  });
});

describe("the deletion of an organization", () => {
  const usageOf = (keyId: string) =>
    listUsage(fixture.db, { keyId, from: "1970-01-01", to: "9999-12-31" });

  test("deletes its keys and their usage, with an audit entry for each, also if delivered twice", async () => {
    const { id, key } = await create();
    deps.usage.note({ id, userId: null, organizationId }, "valid");
    await deps.usage.flush();
    expect(await usageOf(id)).toHaveLength(1);
    await forgetOrganization(deps, deletionOf(organizationId));
    await forgetOrganization(deps, deletionOf(organizationId));
    expect(await use(key)).toEqual({ outcome: "unknown" });
    expect(await usageOf(id)).toEqual([]);
    expect((await fixture.auditOf(id)).at(-1)).toMatchObject({
      actorKind: "system",
      action: "api-key.deleted",
      before: { organizationId },
    });
    expect(await fixture.auditOf(id)).toHaveLength(2);
  });

  test("leaves no key of sixteen that are created meanwhile", async () => {
    const half = Array.from({ length: count / 2 }, () => () => create());
    const early = half.map((act) => act());
    const deletion = forgetOrganization(deps, deletionOf(organizationId));
    const outcomes = await tally([...early, ...half.map((act) => act())]);
    await deletion;
    expect((outcomes["done"] ?? 0) + (outcomes["INVALID_SESSION"] ?? 0)).toBe(count);
    expect(await keysOf()).toEqual([]);
    expect(await outcomeOf(create())).toBe("INVALID_SESSION");
  });

  test("drops uses that are counted later, and the sweep forgets the organization after an hour", async () => {
    const { id } = await create();
    await forgetOrganization(deps, deletionOf(organizationId));
    const day = "2030-01-02";
    const none = { rateLimited: 0, exhausted: 0, expired: 0, disabled: 0, forbidden: 0 };
    await addUsage(fixture.db, [
      { keyId: id, userId: null, organizationId, day, valid: 1, ...none },
    ]);
    expect(await usageOf(id)).toEqual([]);
    const isRemembered = async () => {
      const rows = await fixture.db
        .selectFrom("departedOrganization")
        .select("organizationId")
        .where("organizationId", "=", organizationId)
        .execute();
      return rows.length === 1;
    };
    await sweepDepartedOrganizations(deps);
    expect(await isRemembered()).toBe(true);
    await sweepDepartedOrganizations({ ...deps, clock: () => Date.now() + 3_700_000 });
    expect(await isRemembered()).toBe(false);
  });
});

test("a member who is removed while sixteen keys are created creates none afterwards", async () => {
  const member = join(all);
  const early = Array.from({ length: count / 2 }, () => outcomeOf(create(member)));
  fixture.organizations.get(organizationId)?.delete(member.user.id);
  const late = await Promise.all(
    Array.from({ length: count / 2 }, () => outcomeOf(create(member))),
  );
  const before = await Promise.all(early);
  expect(late).toEqual(Array(count / 2).fill("USER_NOT_MEMBER_OF_ORGANIZATION"));
  expect(await keysOf()).toHaveLength(before.filter((outcome) => outcome === "done").length);
});

test.each([
  ["neither a user nor an organization", { userId: null, organizationId: null }],
  ["both", { userId: "some", organizationId: "some" }],
])("a row with %s is refused by the database", async (_what, owners) => {
  await expect(seedKey(fixture.db, owners)).rejects.toMatchObject({ constraint: "api_key_owner" });
});
