import { type LatchkeyConfig, operations } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import type { BrowserLike } from "./browser-like.ts";
import { callInternal, callOperation, type Client, expectOk, serviceConfig } from "./operations.ts";
import { hashTables, type Rows } from "./rows.ts";
import type { System } from "./start-system.ts";
import { enableApp } from "./second-factor.ts";
import { tinyPicture } from "./pictures.ts";
import { readSession, signUp, type TestUser } from "./users.ts";

/** Configuration of systems with organizations, in which services may call. */
export const organizationConfig = (
  organization: LatchkeyConfig["organization"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({ ...serviceConfig, ...own, organization });

export const organizationOperations = operations.organization;

/** An organization as in replies. */
export interface OrganizationView {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata?: unknown;
  members: { id: string; userId: string; role: string; teamId?: string | null }[];
}

export interface InvitationView {
  id: string;
  organizationId: string;
  email: string;
  role: string;
  status: string;
  expiresAt: string;
  inviterId: string;
}

export interface MemberView {
  id: string;
  organizationId: string;
  userId: string;
  role: string;
  user?: { id: string; name: string; email: string; image: string | null };
}

let count = 0;

/** Returns an unused slug. */
export const newSlug = () => `acme-${(count += 1)}`;

export const createOrganization = (owner: Client, own: object = {}): Promise<OrganizationView> =>
  expectOk(
    callOperation<OrganizationView>(owner, organizationOperations.createOrganization, {
      body: { name: "Acme", slug: newSlug(), ...own },
    }),
  );

export const inviteMember = (
  inviter: Client,
  email: string,
  own: object = {},
): Promise<InvitationView> =>
  expectOk(
    callOperation<InvitationView>(inviter, organizationOperations.inviteMember, {
      body: { email, role: "member", ...own },
    }),
  );

export const acceptInvitation = (
  invitee: Client,
  invitationId: string,
): Promise<{ invitation: InvitationView; member: MemberView }> =>
  expectOk(
    callOperation(invitee, organizationOperations.acceptInvitation, { body: { invitationId } }),
  );

/** Returns the id of an invitation's row, by the id from its mail, which its inviter sees too. */
export const invitationRowId = (mailedId: string): string => mailedId.slice(0, -32);

/** Adds a member without an invitation. The user's sessions do not change. */
export const addMember = (
  system: System,
  { user }: Pick<TestUser, "user">,
  own: { organizationId: string; role?: string; teamId?: string },
): Promise<MemberView> =>
  expectOk(
    callInternal<MemberView>(system, organizationOperations.addMember, {
      body: { userId: user.id, role: "member", ...own },
    }),
  );

/** Returns the active organization of a browser's session. Undefined without a session. */
export const activeOrganizationOf = async (
  browser: BrowserLike,
): Promise<string | null | undefined> => {
  const current = await readSession(browser);
  return current === null
    ? undefined
    : ((current.session as { activeOrganizationId?: string | null }).activeOrganizationId ?? null);
};

/** Waits until a browser's session works in an organization, or in none. */
export const untilActiveOrganization = (
  browser: BrowserLike,
  id: string | null,
): Promise<boolean> =>
  until(async () => (await activeOrganizationOf(browser)) === id, { describe: `work in ${id}` });

/** An organization with a member of every role, and all its ids. */
export interface TenantIds {
  organizationId: string;
  organizationSlug: string;
  /** The plain member's. */
  memberId: string;
  memberUserId: string;
  memberEmail: string;
  /** A team without members, and not the last one. */
  teamId: string;
  /** The team of the plain member. */
  staffedTeamId: string;
  /** The team of the owner. */
  ownersTeamId: string;
  /** A role that the organization made, which nobody has. */
  roleId: string;
  /** A pending invitation of the invitee. */
  invitationId: string;
  /** A slug that no organization has. */
  freeSlug: string;
  /** A user who is not a member. */
  strangerId: string;
  /** Of the organization's picture. */
  pictureHash: string;
}

/** The users by their role in the organization. */
export interface Staff {
  owner: TestUser;
  admin: TestUser;
  member: TestUser;
  invitee: TestUser;
  stranger: TestUser;
}

/** Signs up a user who has passed a second factor, which the setter of an organization's policy must have. */
const signUpWithSecondFactor = async (system: System): Promise<TestUser> => {
  const user = await signUp(system);
  await enableApp(user);
  const opened = await readSession(user.browser);
  if (!opened) throw new Error("the second factor has ended the session");
  return { ...user, token: opened.session.token };
};

export const createStaff = async (system: System): Promise<Staff> => ({
  owner: await signUpWithSecondFactor(system),
  admin: await signUp(system),
  member: await signUp(system),
  invitee: await signUp(system),
  stranger: await signUp(system),
});

/** Ages all invitations, so that the limit of invitations per time does not block the next one. */
export const ageInvitations = async (rows: Rows): Promise<void> => {
  await rows.query("update organization.invitation set mailed_at = mailed_at - interval '1 hour'");
  await rows.query("delete from organization.issued_invitation");
};

/** The options of the organizations that `createTenant` creates. */
export const tenantOptions: LatchkeyConfig["organization"] = {
  teams: { enabled: true },
  dynamicAccessControl: { enabled: true },
};

/**
 * Creates an organization with teams and a role of its own, in which the owner works, the plain member in the third one, and an aged
 * invitation.
 */
export const createTenant = async (
  { system, rows }: { system: System; rows: Rows },
  staff: Staff,
): Promise<TenantIds> => {
  const { id: organizationId, slug, members } = await createOrganization(staff.owner);
  const createTeam = (name: string) =>
    expectOk(
      callOperation<{ id: string }>(staff.owner, organizationOperations.createTeam, {
        body: { name },
      }),
    );
  const { id: teamId } = await createTeam("Second");
  const { id: staffedTeamId } = await createTeam("Third");
  const [member] = [
    await addMember(system, staff.member, { organizationId, teamId: staffedTeamId }),
    await addMember(system, staff.admin, { organizationId, role: "admin" }),
  ];
  const { roleData } = await expectOk(
    callOperation<{ roleData: { id: string } }>(staff.owner, organizationOperations.createRole, {
      body: { role: "captain", permission: { team: ["create"] } },
    }),
  );
  const invitation = await inviteMember(staff.owner, staff.invitee.email);
  await ageInvitations(rows);
  const { logo } = await expectOk(
    callOperation<OrganizationView>(staff.owner, organizationOperations.uploadOrganizationPicture, {
      body: { picture: tinyPicture },
    }),
  );
  return {
    organizationId,
    organizationSlug: slug,
    memberId: member.id,
    memberUserId: staff.member.user.id,
    memberEmail: staff.member.email,
    teamId,
    staffedTeamId,
    ownersTeamId: members[0]?.teamId ?? "",
    roleId: roleData.id,
    invitationId: invitation.id,
    freeSlug: newSlug(),
    strangerId: staff.stranger.user.id,
    pictureHash: logo?.split("/").at(-1) ?? "",
  };
};

/**
 * Returns a hash of each table of organizations. Excludes events, which are deleted later, and seals, which are written later.
 */
export const hashOrganizationTables = async (rows: Rows): Promise<unknown> => {
  const tables = await rows.query(
    "select relname from pg_class where relnamespace = 'organization'::regnamespace and relkind = 'r' and relname not in ('outbox', 'inbox', 'event_feed') and relname not like 'audit\\_%'",
  );
  return hashTables(
    rows,
    tables.map(({ relname }) => `organization.${String(relname)}`),
  );
};
