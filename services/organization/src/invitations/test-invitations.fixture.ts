import { afterAll } from "vitest";
import type { operations } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import { newPerson, type Person } from "@latchkey/testkit";
import type { Call } from "@latchkey/service-kit/http";
import {
  createTestDeps,
  newTextId,
  seedOrganization,
  openOrganizationDatabase,
} from "../db/test-organization.fixture.ts";
import { findMembership } from "../rows/members.ts";
import { acceptInvitation, rejectInvitation } from "./recipient-operations.ts";
import { cancelInvitation, resendInvitation } from "./operations.ts";
import { checkInviter } from "./check-inviter.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import { issueInvitation } from "./issue-invitation.ts";
import type { InvitationRow } from "../rows/invitations.ts";

type Operations = typeof operations.organization;
export type TestDeps = ReturnType<typeof createTestDeps>;

/** Operations that take only an invitation's id. */
type OfInvitation =
  | "acceptInvitation"
  | "cancelInvitation"
  | "rejectInvitation"
  | "resendInvitation";

const callOf = <Name extends OfInvitation>(person: Person, invitationId: string) =>
  ({ body: { invitationId }, ...person }) as unknown as Call<Operations[Name]>;

/** The parts of an invitation that a test may set. */
export interface GivenInvite {
  role?: string;
  teamIds?: readonly string[];
  resend?: boolean;
  /** The users who have the address. */
  userIds?: readonly string[];
}

/** Returns the actions on invitations. Their default dependencies are `plain`. */
const doesWith = (plain: TestDeps) => {
  /** Returns the mailed id of an invitation. */
  const mailedId = (invitation: { id: string; email: string }) =>
    mailedIdOf(plain.ring, invitation);
  /** Invites an address as the operation does after identity has resolved it. */
  const invite = async (
    { organizationId, by, email }: { organizationId: string; by: Person; email: string },
    given: GivenInvite = {},
    deps: TestDeps = plain,
  ): Promise<InvitationRow> => {
    const { role = "member", teamIds = [], resend = false, userIds = [] } = given;
    const member = await findMembership(deps.db, { organizationId, userId: by.user.id });
    const inviter = await checkInviter(deps, member, role);
    const who = { email, userIds, role, teamIds, extra: {}, isRepeated: resend };
    return issueInvitation(deps, { inviter, ...who, ...by });
  };
  const accept = (person: Person, id: string, deps: TestDeps = plain) =>
    acceptInvitation(deps, callOf(person, id));
  const reject = (person: Person, id: string, deps: TestDeps = plain) =>
    rejectInvitation(deps, callOf(person, id));
  const cancel = (person: Person, id: string, deps: TestDeps = plain) =>
    cancelInvitation(deps, callOf(person, id));
  const resend = (person: Person, id: string, deps: TestDeps = plain) =>
    resendInvitation(deps, callOf(person, id));
  return { mailedId, invite, accept, reject, cancel, resend };
};

/** Returns functions that create organizations to invite to. */
const seedsIn = ({ db }: TestDeps) => {
  /** Creates an organization with an owner, an admin and a member. */
  const seed = async () => {
    const owner = newPerson();
    const admin = newPerson();
    const member = newPerson();
    const { organization } = await seedOrganization(db, [
      { person: owner, role: "owner" },
      { person: admin, role: "admin" },
      { person: member, role: "member" },
    ]);
    return { owner, admin, member, organization, organizationId: organization.id };
  };
  const insertTeam = async (organizationId: string) => {
    const id = newTextId();
    const createdAt = new Date();
    await db
      .insertInto("team")
      .values({ id, name: "Crew", organizationId, createdAt, updatedAt: null })
      .execute();
    return id;
  };
  return { seed, insertTeam };
};

/** Returns functions that read the outcome. */
const seesIn = ({ db, ring }: TestDeps) => {
  const membersOf = async (organizationId: string) =>
    db
      .selectFrom("member")
      .select(["userId", "role", "teamId"])
      .where("organizationId", "=", organizationId)
      .execute();
  const invitationsOf = async (organizationId: string) =>
    db
      .selectFrom("invitation")
      .select(["id", "email", "status", "teamId", "expiresAt"])
      .where("organizationId", "=", organizationId)
      .orderBy("createdAt")
      .execute();
  const statusOf = async (id: string) => {
    const row = await db
      .selectFrom("invitation")
      .select("status")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.status;
  };
  const actionsOf = async (organizationId: string) => {
    const rows = await db
      .selectFrom("audit")
      .select("action")
      .where("subjectId", "=", organizationId)
      .orderBy("id")
      .execute();
    return rows.map(({ action }) => action);
  };
  /** Returns the requested mails to an address. */
  const mailsTo = async (email: string) => {
    const rows = await db
      .selectFrom("outbox")
      .select("data")
      .where("name", "=", "invitation.sent")
      .execute();
    return rows
      .map(({ data }) => JSON.parse(unseal(ring, "event", data) ?? "") as { email: string })
      .filter((mail) => mail.email === email);
  };
  /** Returns the members of a deleted organization, as named by its event. */
  const toldOfDeletion = async (organizationId: string) => {
    const rows = await db
      .selectFrom("outbox")
      .select("data")
      .where("name", "=", "organization.deleted")
      .where("data", "like", `%${organizationId}%`)
      .execute();
    return rows.flatMap(({ data }) => (JSON.parse(data) as { userIds: string[] }).userIds);
  };
  return { membersOf, invitationsOf, statusOf, actionsOf, mailsTo, toldOfDeletion };
};

/** Opens a database for sixteen concurrent callers, with the actions on invitations. Calls to identity are refused. */
export const openInvitations = async () => {
  const { db } = await openOrganizationDatabase(20);
  const opened: TestDeps[] = [];
  const depsWith = (given: Parameters<typeof createTestDeps>[1] = {}) => {
    const deps = createTestDeps(db, given);
    opened.push(deps);
    return deps;
  };
  const plain = depsWith();
  afterAll(() => Promise.all(opened.map(({ identity }) => identity.close())));
  return { db, depsWith, ...doesWith(plain), ...seedsIn(plain), ...seesIn(plain) };
};
export type OpenedInvitations = Awaited<ReturnType<typeof openInvitations>>;
