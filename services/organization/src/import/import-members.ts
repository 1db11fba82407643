import { normalizeEmail } from "@latchkey/contracts";
import {
  createTableImporter,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  planRows,
  readGiven,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { endMembership, type EndMembershipNeeds } from "../members/change-members.ts";
import { findMembership } from "../rows/members.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { importedInvitations, importedMembers, listMembersByIds } from "./queries.ts";
import {
  createFieldReader,
  type GivenInvitation,
  type GivenMember,
  importActor as actor,
  importedColumns,
  missingOrganization,
  readRole,
} from "./read-values.ts";

type MemberNeeds = EndMembershipNeeds & Pick<Deps, "db" | "fields">;
type MemberBatch = SourceBatch<GivenMember>;

const memberRefusal = (
  { values }: GivenRow<GivenMember>,
  batch: MemberBatch,
): string | undefined => {
  const { id, userId, hasUser } = values;
  if (!userId || !hasUser) return "its user does not exist";
  if (batch.isLeft("user", userId)) return "its user was not brought";
  return (
    missingOrganization(values, batch) ??
    (id.length > idLengthMax || userId.length > idLengthMax ? "its id is too long" : undefined)
  );
};

const planMembers = async (
  deps: MemberNeeds,
  given: readonly GivenRow<GivenMember>[],
  batch: MemberBatch,
) => {
  const readFields = await createFieldReader(deps, "member");
  return planRows(given, (row, addNote) => {
    const { values } = row;
    const refusal = memberRefusal(row, batch);
    if (refusal) return refusal;
    const role = readRole(deps.config, values, addNote);
    if (role === undefined) return "it has no role of organization.roles";
    if (!batch.claim(`member ${values.organizationId} ${values.userId}`))
      return "the user is already a member";
    const read = readGiven(importedColumns.member, values);
    const createdAt = read.createdAt ?? new Date(deps.clock());
    return { ...read, role, createdAt, extra: readFields(values, addNote) };
  });
};

/** Removes members as an owner would, so that sessions leave the organization. Returns the ids of those that were removed. */
const expel = async (deps: MemberNeeds, ids: readonly string[]): Promise<Set<string>> => {
  const removed = new Set<string>();
  for (const { id, organizationId, userId } of await listMembersByIds(deps.db, ids)) {
    const isRemoved = await deps.db.transaction().execute(async (trx) => {
      if (!(await lockOrganization(trx, organizationId))) return false;
      const member = await findMembership(trx, { organizationId, userId });
      return member !== undefined && endMembership(deps, trx, { member, actor });
    });
    if (isRemoved) removed.add(id);
  }
  return removed;
};

/** Imports memberships. */
export const importMembers = (deps: MemberNeeds, batch: MemberBatch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedMembers, (ids) => expel(deps, ids)),
      endsRefused: true,
      plan: (given) => planMembers(deps, given, batch),
    },
    batch,
  );

type InvitationNeeds = Pick<Deps, "clock" | "config" | "db" | "fields">;
type InvitationBatch = SourceBatch<GivenInvitation>;

const states = new Set(["pending", "accepted", "rejected", "canceled"]);

const invitationRefusal = (
  { values }: GivenRow<GivenInvitation>,
  batch: InvitationBatch,
): string | undefined => {
  const { id, email, inviterId, hasInviter, status, expiresAt } = values;
  if (!inviterId || !hasInviter || batch.isLeft("user", inviterId))
    return "its inviter was not brought";
  if (normalizeEmail(email) === undefined) return "its email address is none";
  if (!states.has(status ?? "")) return "its status is unknown";
  if (expiresAt === null) return "it has no expiry";
  return (
    missingOrganization(values, batch) ??
    (id.length > idLengthMax ? "its id is too long" : undefined)
  );
};

const planInvitations = async (
  deps: InvitationNeeds,
  given: readonly GivenRow<GivenInvitation>[],
  batch: InvitationBatch,
) => {
  const now = deps.clock();
  const readFields = await createFieldReader(deps, "invitation");
  const lifetime = deps.config.organization.invitationExpiresIn * 1000;
  return planRows(given, (row, addNote) => {
    const { values } = row;
    const refusal = invitationRefusal(row, batch);
    if (refusal) return refusal;
    const role = readRole(deps.config, { ...values, role: values.role ?? "member" }, addNote);
    if (role === undefined) return "it has no role of organization.roles";
    const read = readGiven(importedColumns.invitation, values);
    const expiresAt = read.expiresAt ?? new Date(now);
    // The older schema does not record when an invitation was sent.
    const sentAt = Math.min(now, expiresAt.getTime() - lifetime);
    const createdAt = read.createdAt ?? new Date(sentAt);
    const teams = JSON.parse(values.teamIds ?? "[]") as string[]; // made by the reading statement
    const [teamId = null, ...moreTeamIds] = teams.filter((id) => !batch.isLeft("team", id));
    return {
      ...read,
      email: normalizeEmail(values.email),
      role,
      teamId,
      moreTeamIds,
      expiresAt,
      createdAt,
      mailedAt: createdAt,
      extra: readFields(values, addNote),
    };
  });
};

/** Imports invitations, whatever their status. Pending ones can be accepted by their existing links. */
export const importInvitations = (
  deps: InvitationNeeds,
  batch: InvitationBatch,
): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      ...createTableImporter(deps.db, importedInvitations),
      endsRefused: true,
      plan: (given) => planInvitations(deps, given, batch),
    },
    batch,
  );
