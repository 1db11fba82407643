import { operations as contracts } from "@latchkey/contracts";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { operations } from "../operations.ts";
import { openOrganizations } from "../organizations/test-organizations.fixture.ts";

expectNoLeaks("file");

const fixture = await openOrganizations();
const tree = { organization: { teams: { enabled: true } } };
const deps = fixture.depsWith({ tree });
const past = new Date(Date.now() - 1_000);
const future = new Date(Date.now() + 86_400_000);

const authentication = (secondFactorAt: Date | null) => ({
  authenticatedAt: new Date(),
  secondFactorAt,
  methods: "password",
});

const shown = (secondFactorAt: Date | null) => ({
  authenticatedAt: new Date().toISOString(),
  secondFactorAt: secondFactorAt && secondFactorAt.toISOString(),
  methods: ["password"],
});

/** Returns the person in a session with or without second factor, or in one of the cookie cache. */
const withSession = (person: Person, secondFactorAt?: Date | null): Person => ({
  ...person,
  session: {
    ...person.session,
    ...(secondFactorAt === undefined ? {} : { authentication: authentication(secondFactorAt) }),
  },
});

const organizationId = newTextId();
const owner = newPerson({ activeOrganizationId: organizationId });
const invitationId = newTextId();
let memberId = "";
const teamId = newTextId();

beforeEach(async () => {
  await fixture.db.deleteFrom("organization").where("id", "=", organizationId).execute();
  const seeded = await seedOrganization(fixture.db, [{ person: owner, role: "owner" }], {
    id: organizationId,
    secondFactorFrom: past,
  });
  memberId = seeded.memberOf(owner).id;
  const team = { id: teamId, name: "Crew", organizationId, createdAt: new Date(), updatedAt: null };
  await fixture.db.insertInto("team").values(team).execute();
  const createdAt = new Date();
  const invitation = { organizationId, email: "bob@example.com", role: "member", teamId: null };
  await fixture.db
    .insertInto("invitation")
    .values({
      ...invitation,
      id: invitationId,
      status: "pending",
      expiresAt: future,
      inviterId: owner.user.id,
      createdAt,
      mailedAt: past,
    })
    .execute();
});

const require = (secondFactorFrom: Date | null) =>
  fixture.db
    .updateTable("organization")
    .set({ secondFactorFrom })
    .where("id", "=", organizationId)
    .execute();

const isMember = async ({ user }: Person) => {
  const row = fixture.db
    .selectFrom("member")
    .select("id")
    .where("organizationId", "=", organizationId)
    .where("userId", "=", user.id);
  return (await row.executeTakeFirst()) !== undefined;
};

type Name = keyof typeof operations;
type Using = Omit<typeof deps, "identity"> & { identity: unknown };

/** An operation with the dependencies that tests give. */
type Run = (deps: Using, call: object) => Promise<{ reply: unknown }>;

/** Input in which every operation of members finds what it takes. */
const input = (given: { organizationId?: string; organizationSlug?: string }) => ({
  body: {
    ...given,
    data: { ...given, name: "B" },
    memberId,
    memberIdOrEmail: memberId,
    invitationId,
    teamId,
    email: "eve@example.com",
    role: "member",
    name: "B",
    required: false,
    permissions: {},
    permission: {},
  },
  query: { ...given, id: invitationId, teamId },
});

const call = (name: Name, { caller, session }: Person, given: object = { organizationId }) => {
  const run = operations[name] as unknown as Run;
  return (using: Using = deps) => run(using, { caller, session, ...input(given) });
};

/** Operations that act in no organization, or only as a recipient of an invitation, or end the membership. Logos are public. */
const open = new Set<string>([
  "acceptInvitation",
  "checkSlug",
  "createOrganization",
  "getInvitation",
  "getOrganizationPicture",
  "leaveOrganization",
  "listOrganizations",
  "listUserInvitations",
  "openInvitation",
  "rejectInvitation",
]);

const acting = Object.values(contracts.organization)
  .filter(({ exposure, access }) => exposure === "public" && access !== "permission")
  .map(({ name }) => name)
  .filter((name) => !open.has(name));

/** `listUserTeams` leaves such organizations out instead. */
const needsId = new Set<string>(["deleteOrganization", "listUserTeams"]);

describe("an organization that requires a second factor", () => {
  test.each(acting)("refuses %s in a session without one", async (name) => {
    const trial = call(name, withSession(owner, null))();
    expect(await outcomeOf(trial)).toBe("TWO_FACTOR_REQUIRED");
  });

  test.each(acting.filter((name) => !needsId.has(name)))(
    "refuses %s if it is only the active organization",
    async (name) => {
      const trial = call(name, withSession(owner, null), {})();
      expect(await outcomeOf(trial)).toBe("TWO_FACTOR_REQUIRED");
    },
  );

  test.each(["getFullOrganization", "listMembers", "setActiveOrganization"] as const)(
    "refuses %s by slug",
    async (name) => {
      const organizationSlug = organizationId.toLowerCase();
      const trial = call(name, withSession(owner, null), { organizationSlug })();
      expect(await outcomeOf(trial)).toBe("TWO_FACTOR_REQUIRED");
    },
  );

  test("still tells a stranger only that they are no member", async () => {
    const stranger = withSession(newPerson(), null);
    const codes = await Promise.all(
      (["listMembers", "getFullOrganization"] as const).map((name) =>
        outcomeOf(call(name, stranger)()),
      ),
    );
    expect(codes).toEqual(Array(2).fill("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"));
  });

  const reads = ["listMembers", "listTeams", "getActiveMember", "getFullOrganization"] as const;

  test.each(reads)(
    "admits %s with a second factor of the session or of the creator of an API key, and in the grace time",
    async (name) => {
      const keyed = (apiKeyHasSecondFactor: boolean) => ({
        ...owner,
        caller: { ...owner.caller, apiKeyId: "key", apiKeyHasSecondFactor },
      });
      for (const person of [withSession(owner, new Date()), keyed(true)])
        expect(await outcomeOf(call(name, person)())).toBe("done");
      expect(await outcomeOf(call(name, keyed(false))())).toBe("TWO_FACTOR_REQUIRED");
      await require(future);
      expect(await outcomeOf(call(name, withSession(owner, null))())).toBe("done");
    },
  );

  test.each(reads)("admits %s while second factors are off", async (name) => {
    const off = fixture.depsWith({ tree: { ...tree, twoFactor: { enabled: false } } });
    expect(await outcomeOf(call(name, withSession(owner, null))(off))).toBe("done");
  });

  test("lets a member leave without a second factor", async () => {
    await fixture.db
      .insertInto("member")
      .values({
        id: newTextId(),
        organizationId,
        userId: "other",
        role: "owner",
        teamId: null,
        createdAt: new Date(),
      })
      .execute();
    expect(await outcomeOf(call("leaveOrganization", withSession(owner, null))())).toBe("done");
  });
});

/** Attack: the session of a new member without a second factor names the organization as its active one. */
describe("an accepted invitation to it", () => {
  const guest = newPerson({ email: "bob@example.com" });
  const accept = async (person: Person, stored: Date | null = null) => {
    const calls: string[] = [];
    const identity = {
      call: async ({ name }: { name: string }) => {
        calls.push(name);
        return name === "resolveSession"
          ? JSON.parse(JSON.stringify({ ...person.session, authentication: shown(stored) }))
          : { effect: null, epochs: [] };
      },
    };
    expect(await outcomeOf(call("acceptInvitation", person)({ ...deps, identity }))).toBe("done");
    return calls;
  };
  const choice = "chooseOrganization";

  test("makes it the active one only in a session with a second factor", async () => {
    expect(await accept(withSession(guest, null))).not.toContain(choice);
    expect(await isMember(guest)).toBe(true);
  });

  test.each<[string, () => Promise<string[]>]>([
    ["with a second factor", () => accept(withSession(guest, new Date()))],
    ["from the cookie cache, with a second factor", () => accept(guest, new Date())],
    [
      "in the grace time",
      async () => {
        await require(future);
        return accept(withSession(guest, null));
      },
    ],
  ])("makes it the active one %s", async (_what, run) => {
    expect(await run()).toContain(choice);
  });

  test("does not make it the active one of a session from the cookie cache without one", async () => {
    expect(await accept(guest)).toEqual(["resolveSession"]);
  });
});

describe("a session from the cookie cache", () => {
  const identityOf = (secondFactorAt: Date | null) => {
    const calls: string[] = [];
    const { session, user } = owner.session;
    const stored = shown(secondFactorAt);
    const resolved = JSON.parse(JSON.stringify({ session, user, authentication: stored }));
    const answer = async ({ name }: { name: string }) => {
      calls.push(name);
      return resolved;
    };
    return { calls, deps: { ...deps, identity: { call: answer } } };
  };

  test.each(["listMembers", "updateTeam", "cancelInvitation"] as const)(
    "%s asks identity once, and only in an organization that requires a second factor",
    async (name) => {
      const without = identityOf(null);
      expect(await outcomeOf(call(name, owner)(without.deps))).toBe("TWO_FACTOR_REQUIRED");
      expect(without.calls).toEqual(["resolveSession"]);
      const passed = identityOf(new Date());
      await outcomeOf(call(name, owner)(passed.deps));
      expect(passed.calls).toEqual(["resolveSession"]);
      await require(null);
      const none = identityOf(null);
      await outcomeOf(call(name, owner)(none.deps));
      expect(none.calls).toEqual([]);
    },
  );
});

describe("the policy", () => {
  const passed = withSession(owner, new Date());

  test("is set by an owner with a second factor, after a grace time, and audited", async () => {
    await require(null);
    const now = Date.now();
    const using = { ...deps, clock: () => now };
    const set = operations.setTwoFactorPolicy as unknown as Run;
    const body = { organizationId, required: true, graceDays: 7 };
    const requiredFrom = new Date(now + 7 * 86_400_000);
    expect(await set(using, { ...passed, body })).toEqual({
      reply: { organizationId, required: true, requiredFrom },
    });
    expect(await call("getTwoFactorPolicy", passed)()).toEqual({
      reply: { organizationId, required: true, requiredFrom },
    });
    expect((await fixture.auditOf(organizationId)).at(-1)).toMatchObject({
      actorId: owner.user.id,
      action: "organization.two-factor-policy-changed",
      before: { requiredFrom: null },
      after: { requiredFrom: requiredFrom.toISOString() },
    });
  });

  test("cannot be set in a session without a second factor, even if none is required yet", async () => {
    await require(null);
    const trial = call("setTwoFactorPolicy", withSession(owner, null))();
    expect(await outcomeOf(trial)).toBe("TWO_FACTOR_REQUIRED");
  });

  test("cannot be set, read or checked by a member who may not change the organization", async () => {
    const member = withSession(newPerson(), new Date());
    await fixture.db
      .insertInto("member")
      .values({
        id: newTextId(),
        organizationId,
        userId: member.user.id,
        role: "member",
        teamId: null,
        createdAt: new Date(),
      })
      .execute();
    for (const name of [
      "setTwoFactorPolicy",
      "getTwoFactorPolicy",
      "listMembersWithoutTwoFactor",
    ] as const)
      expect(await outcomeOf(call(name, member)())).toBe(
        "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
      );
  });

  test("lists the members without a second factor", async () => {
    const { id, name, email, image } = owner.user;
    const users = (hasSecondFactor: boolean) => ({
      ...deps,
      identity: {
        call: async (_: unknown, { body }: { body: { withoutSecondFactor?: boolean } }) => ({
          users: body.withoutSecondFactor && hasSecondFactor ? [] : [{ id, name, email, image }],
        }),
      },
    });
    const list = call("listMembersWithoutTwoFactor", passed);
    expect(await list(users(true))).toEqual({ reply: { members: [] } });
    const { reply } = await list(users(false));
    expect(reply).toMatchObject({ members: [{ userId: id, user: { id, name, email, image } }] });
  });
});
