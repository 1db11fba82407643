import { type ErrorCode, errorCatalogue, type Operation, wireCode } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { callInternal, callOperation, expectOk, type Sent } from "../harness/operations.ts";
import {
  createOrganization,
  createStaff,
  createTenant,
  hashOrganizationTables,
  inviteMember,
  organizationConfig,
  organizationOperations,
  type Staff,
  type TenantIds,
  tenantOptions,
} from "../harness/organizations.ts";
import { firstOfKind, representatives } from "../harness/matrix.ts";
import { errorResponse } from "../harness/responses.ts";
import { newClient, signUp, type TestUser } from "../harness/users.ts";
import { renewAfterChange, useSystem } from "../harness/use-system.ts";
import { callings } from "./organization-calls.ts";

expectNoLeaks("file");

type Owned = typeof organizationOperations;
type OfMembers = {
  [Name in keyof Owned]: Owned[Name]["access"] extends "session" ? Name : never;
}[keyof Owned];
type Role = Exclude<keyof Staff, "invitee">;
type Refusal = ErrorCode | readonly [code: ErrorCode, status: number];

const everybodyElse = (error: Refusal) => ({
  stranger: error,
  member: error,
  admin: error,
  owner: error,
});
const notRecipient = everybodyElse("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
const notMember = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
const mayNotRead = "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION";
const mayNotInvite = "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION";

/** The roles that each operation rejects, with the error. All others are allowed. A missing operation does not compile. */
const refusals: Record<OfMembers, Partial<Record<Role, Refusal>>> = {
  createOrganization: {},
  checkSlug: {},
  updateOrganization: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  },
  uploadOrganizationPicture: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  },
  deleteOrganization: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
    admin: "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
  },
  setActiveOrganization: { stranger: [notMember, 403] },
  getFullOrganization: { stranger: [notMember, 403] },
  getOrganization: { stranger: [notMember, 403] },
  listOrganizations: {},
  hasOrganizationPermission: { stranger: [notMember, 401] },
  setTwoFactorPolicy: {
    stranger: "TWO_FACTOR_REQUIRED",
    member: "TWO_FACTOR_REQUIRED",
    admin: "TWO_FACTOR_REQUIRED",
  },
  getTwoFactorPolicy: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  },
  listMembersWithoutTwoFactor: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  },
  getActiveMember: { stranger: "NO_ACTIVE_ORGANIZATION" },
  getActiveMemberRole: { stranger: mayNotRead },
  listMembers: { stranger: [notMember, 403] },
  updateMemberRole: {
    stranger: "MEMBER_NOT_FOUND",
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER",
  },
  removeMember: {
    stranger: "MEMBER_NOT_FOUND",
    member: ["YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER", 401],
  },
  leaveOrganization: {
    stranger: "MEMBER_NOT_FOUND",
    owner: "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
  },
  inviteMember: { stranger: "MEMBER_NOT_FOUND", member: mayNotInvite },
  resendInvitation: { stranger: "INVITATION_NOT_FOUND", member: mayNotInvite },
  acceptInvitation: notRecipient,
  rejectInvitation: notRecipient,
  cancelInvitation: {
    stranger: "MEMBER_NOT_FOUND",
    member: "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
  },
  getInvitation: notRecipient,
  listInvitations: { stranger: "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION" },
  listUserInvitations: {},
  createTeam: {
    stranger: mayNotInvite,
    member: "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
  },
  listTeams: { stranger: "FORBIDDEN" },
  updateTeam: {
    stranger: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
    member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
  },
  removeTeam: {
    stranger: "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
    member: "YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION",
  },
  setActiveTeam: {
    stranger: "NO_ACTIVE_ORGANIZATION",
    member: "USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
    admin: "USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
  },
  listUserTeams: { stranger: mayNotRead },
  listTeamMembers: {
    stranger: "TEAM_NOT_FOUND",
    member: ["USER_IS_NOT_A_MEMBER_OF_THE_TEAM", 400],
  },
  addTeamMember: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
  },
  removeTeamMember: {
    stranger: notMember,
    member: "YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER",
  },
  createRole: { stranger: mayNotRead, member: "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE" },
  updateRole: { stranger: mayNotRead, member: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE" },
  deleteRole: { stranger: mayNotRead, member: "YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE" },
  listRoles: { stranger: mayNotRead },
  getRole: { stranger: mayNotRead },
};

const shown = (error: Refusal) => {
  const [code, status] = typeof error === "string" ? [error, undefined] : error;
  const entry = errorCatalogue[code];
  return errorResponse(status ?? entry.status, wireCode(code), entry.message);
};

const all: Operation[] = Object.values(organizationOperations);
const publicOnes = all.filter(({ exposure }) => exposure === "public");
const ofMembers = publicOnes.filter(({ access }) => access === "session");
const ofAdmins = publicOnes.filter(({ access }) => access === "permission");
const internal = all.filter(({ exposure }) => exposure === "internal");
const roles: readonly Role[] = ["stranger", "member", "admin", "owner"];
const notThere = { status: 404, body: undefined, cookies: [] };

/** Returns the first known call of an operation. */
const callOf = ({ name }: Operation, ids: TenantIds): Sent =>
  callings[name as keyof typeof callings].calls[0]?.(ids) ?? {};

/** The parts of an input, and an invalid value for any member. */
const bodyOf = ({ body = {} }: Sent) => body as Record<string, unknown>;
const wrong = [[1]];

describe("with teams", () => {
  let staff: Staff;
  let ids: TenantIds;
  const config = organizationConfig({ ...tenantOptions, sendInvitationMail: false });
  const { system, rows } = useSystem({ stores: "postgres", config });
  beforeAll(async () => {
    staff = await createStaff(system);
  });
  const asRole = async (role: Role): Promise<TestUser> => {
    const body = { organizationId: role === "stranger" ? null : ids.organizationId };
    await expectOk(
      callOperation(staff[role], organizationOperations.setActiveOrganization, { body }),
    );
    return staff[role];
  };

  // Most calls are rejected or only read.
  renewAfterChange(
    () => hashOrganizationTables(rows),
    async () => {
      ids = await createTenant({ system, rows }, staff);
    },
  );

  // Rejected calls change nothing, so one look at the tables suffices for all of them.
  const rejectsEach = async (
    declaredOnes: readonly Operation[],
    call: (declared: Operation) => Promise<unknown>,
    expected: (declared: Operation) => unknown,
  ) => {
    const before = await hashOrganizationTables(rows);
    for (const declared of declaredOnes)
      expect([declared.name, await call(declared)]).toEqual([declared.name, expected(declared)]);
    expect(await hashOrganizationTables(rows)).toEqual(before);
  };

  test("every operation rejects callers without a session, and does not reveal what exists", () =>
    rejectsEach(
      ofMembers,
      (declared) => callOperation(newClient(system), declared, callOf(declared, ids)),
      ({ signedOut }) => shown(signedOut ?? "UNAUTHORIZED"),
    ));

  const refusalOf = ({ name }: Operation, role: Role) => refusals[name as OfMembers][role];
  test.each(roles)("every operation rejects a %s as its table says", async (role) => {
    const person = await asRole(role);
    await rejectsEach(
      ofMembers.filter((declared) => refusalOf(declared, role)),
      (declared) => callOperation(person, declared, callOf(declared, ids)),
      (declared) => shown(refusalOf(declared, role) ?? "FORBIDDEN"),
    );
  });

  describe.each(ofMembers)("$name", (declared) => {
    const refused = refusals[declared.name as OfMembers];
    const allowed = roles.filter((role) => !refused[role]);
    if (allowed.length > 0)
      // The first one has the fewest rights.
      test.each(representatives(allowed, (_, index) => index === 0))(
        "serves a %s",
        async (role) => {
          const answer = await callOperation(await asRole(role), declared, callOf(declared, ids));
          expect(answer).toMatchObject({ status: 200 });
        },
      );
    else
      test("serves its intended callers", async () => {
        const answer = await callOperation(staff.invitee, declared, callOf(declared, ids));
        expect(answer).toMatchObject({ status: 200 });
      });
  });

  test("operations of admins are for admins of the installation only", async () => {
    await rejectsEach(
      ofAdmins,
      (declared) => callOperation(newClient(system), declared, callOf(declared, ids)),
      () => shown("UNAUTHORIZED"),
    );
    for (const role of roles)
      await rejectsEach(
        ofAdmins,
        (declared) => callOperation(staff[role], declared, callOf(declared, ids)),
        ({ permission }) => ({ ...shown(permission?.refusal ?? "UNAUTHORIZED"), status: 403 }),
      );
  });

  test("internal operations require a service token", async () => {
    for (const authorization of ["", "Bearer wrong", `Bearer ${staff.owner.token}`])
      await rejectsEach(
        internal,
        (declared) => callInternal(system, declared, callOf(declared, ids), { authorization }),
        () => shown("FORBIDDEN"),
      );
    for (const declared of internal) {
      const { name, path } = declared;
      const { body } = callOf(declared, ids);
      const outside = publicOnes.some((open) => open.path === path) ? [] : [path];
      for (const target of [`/internal${path}`, ...outside])
        expect([name, (await staff.owner.browser.post(target, body)).status]).toEqual([name, 404]);
    }
  });

  test("no operation can be called without the gateway", () =>
    rejectsEach(
      publicOnes,
      async ({ method, path }) => {
        const url = `${system.urlOf("organization")}${path}`;
        const headers = { authorization: `Bearer ${staff.owner.token}` };
        return (await fetch(url, { method, headers })).status;
      },
      () => 403,
    ));

  const bodies = ofMembers.flatMap((declared) =>
    Object.entries(declared.body?.shape ?? {}).map(([name, schema]) => ({
      declared,
      name,
      isRequired: !(schema as { isOptional(): boolean }).isOptional(),
    })),
  );
  const ofCreation = new Set(["name", "slug"]);

  test("every operation reports a missing member to any caller", async () => {
    for (const { declared, name } of bodies.filter(({ isRequired }) => isRequired)) {
      const { [name]: _, ...rest } = bodyOf(callOf(declared, ids));
      const answer = await callOperation(newClient(system), declared, { body: rest });
      const isCreation = declared.name === "createOrganization" && ofCreation.has(name);
      const code = `${name.toUpperCase()}_IS_REQUIRED`;
      const invalid = { code: "VALIDATION_ERROR", message: "Invalid body parameters" };
      expect([declared.name, answer]).toMatchObject([
        declared.name,
        {
          status: 400,
          body: isCreation
            ? { code, message: `${name} is required` }
            : { ...invalid, issues: [{ path: name }] },
        },
      ]);
    }
  });

  test("every operation rejects a member of the wrong type and names it", async () => {
    const before = await hashOrganizationTables(rows);
    for (const { declared, name } of bodies.filter((member) => member.name !== "email")) {
      const body = { ...bodyOf(callOf(declared, ids)), [name]: wrong };
      const answer = await callOperation<{ issues: { path: string }[] }>(staff.owner, declared, {
        body,
      });
      const invalid = { status: 400, body: { code: "VALIDATION_ERROR" } };
      expect([declared.name, name, answer]).toMatchObject([declared.name, name, invalid]);
      for (const { path } of answer.body.issues) expect(path.slice(0, name.length)).toBe(name);
      expect(JSON.stringify(answer.body)).not.toContain("[[1]]");
    }
    expect(await hashOrganizationTables(rows)).toEqual(before);
  });

  const withOptionalOrganization = ofMembers.filter(({ name, body, query }) => {
    const member = (body ?? query)?.shape["organizationId"];
    const isOptional = (member as { isOptional(): boolean } | undefined)?.isOptional();
    return isOptional && name !== "setActiveOrganization";
  });
  // One function completes the input of all of them.
  const firstOfEach = firstOfKind(({ feature, method }: Operation) => `${feature} ${method}`);
  test.each(representatives(withOptionalOrganization, firstOfEach))(
    "$name uses the session's organization for an empty organizationId",
    async (declared) => {
      const part = declared.body ? "body" : "query";
      const { organizationId: _, ...rest } = callOf(declared, ids)[part] as TenantIds;
      const none = { [part]: rest };
      const empty = { [part]: { ...rest, organizationId: "" } };
      const person = await asRole("stranger");
      expect(await callOperation(person, declared, empty)).toEqual(
        await callOperation(person, declared, none),
      );
      const owner = await asRole("owner");
      expect(await callOperation(owner, declared, empty)).toMatchObject({ status: 200 });
    },
  );

  test("an empty organizationId is rejected if one must be named", async () => {
    const body = { organizationId: "" };
    const { deleteOrganization, leaveOrganization } = organizationOperations;
    expect(await callOperation(staff.owner, deleteOrganization, { body })).toEqual(
      shown("ORGANIZATION_NOT_FOUND"),
    );
    expect(await callOperation(staff.owner, leaveOrganization, { body })).toEqual(
      shown("MEMBER_NOT_FOUND"),
    );
  });
});

describe("without teams and roles of organizations", () => {
  const { system, user: owner } = useSystem({ stores: "postgres", config: organizationConfig() });

  const offFeatures = new Set<unknown>(["teams", "organizationRoles"]);

  test.each(ofMembers.filter(({ feature }) => offFeatures.has(feature)))(
    "$name is not there",
    async (declared) => {
      expect(await callOperation(owner, declared, {})).toEqual(notThere);
    },
  );

  test("no answer contains a team, whatever the request", async () => {
    const { members } = await createOrganization(owner);
    expect(members[0]).not.toHaveProperty("teamId");
    const guest = await signUp(system);
    expect(await inviteMember(owner, guest.email, { teamId: "any" })).not.toHaveProperty("teamId");
    expect(
      await expectOk(callOperation(owner, organizationOperations.getFullOrganization)),
    ).toMatchObject({
      teams: null,
    });
  });
});

describe("with organization.enabled false", () => {
  const config = organizationConfig({ enabled: false });
  const { user: owner } = useSystem({ stores: "postgres", config });

  test("no operation exists", async () => {
    for (const declared of publicOnes) {
      const answer = callOperation(owner, declared, { params: { id: "any", hash: "any" } });
      expect([declared.name, await answer]).toEqual([declared.name, notThere]);
    }
  });
});
