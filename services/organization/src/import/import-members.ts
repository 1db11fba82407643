import { normalizeEmail } from "@latchkey/contracts";
import {
  createTableImporter,
  forgetImported,
  type GivenRow,
  idLengthMax,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
  readGiven,
  type SourceBatch,
} from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { endMembership, type EndMembershipNeeds } from "../members/change-members.ts";
import { findMembership } from "../rows/members.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { importedInvitations, importedMembers, listMembersByIds } from "./queries.ts";
import {
  type GivenInvitation,
  type GivenMember,
  importActor as actor,
  importedColumns,
  missingOrganization,
  readRole,
} from "./read-values.ts";

type MemberNeeds = EndMembershipNeeds & Pick<Deps, "db">;
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

const planMembers = (
  deps: MemberNeeds,
  given: readonly GivenRow<GivenMember>[],
  batch: MemberBatch,
) => {
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  for (const one of given) {
    const { key, hash, values } = one;
    const { organizationId, userId } = values;
    const recordNote = (reason: string) => made.noted.push({ key, reason });
    const role = readRole(deps.config, values, recordNote);
    const reason =
      memberRefusal(one, batch) ??
      (role === undefined ? "it has no role of organization.roles" : undefined) ??
      (batch.claim(`member ${organizationId} ${userId}`)
        ? undefined
        : "the user is already a member");
    if (reason) made.left.push({ key, reason });
    else {
      const read = readGiven(importedColumns.member, values);
      const createdAt = read.createdAt ?? new Date(deps.clock());
      const row = { ...read, role, createdAt };
      made.rows.push({ key, hash, values: row });
    }
  }
  return made;
};

/** Removes a member as an owner would, so that sessions leave the organization. */
const expel = (
  deps: MemberNeeds,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await lockOrganization(trx, organizationId))) return false;
    const member = await findMembership(trx, { organizationId, userId });
    return member !== undefined && endMembership(deps, trx, { member, actor });
  });

/** Imports memberships. */
export const importMembers = (deps: MemberNeeds, batch: MemberBatch): Promise<ImportedBatch> => {
  const table = createTableImporter(deps.db, importedMembers);
  return importBatch(
    deps,
    {
      ...table,
      endsRefused: true,
      plan: async (given) => planMembers(deps, given, batch),
      remove: async (keys) => {
        const removed = new Set<string>();
        const untouched = await table.untouched(keys, batch);
        for (const member of await listMembersByIds(deps.db, [...untouched]))
          if (await expel(deps, member)) removed.add(member.id);
        await forgetImported(deps.db, { source: batch.source, model: batch.model, keys });
        return removed;
      },
    },
    batch,
  );
};

type InvitationNeeds = Pick<Deps, "clock" | "config" | "db">;
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

const planInvitations = (
  deps: InvitationNeeds,
  given: readonly GivenRow<GivenInvitation>[],
  batch: InvitationBatch,
) => {
  const made: ImportPlan<object> = { rows: [], left: [], noted: [] };
  const now = deps.clock();
  const lifetime = deps.config.organization.invitationExpiresIn * 1000;
  for (const one of given) {
    const { key, hash, values } = one;
    const { teamId } = values;
    const recordNote = (reason: string) => made.noted.push({ key, reason });
    const withRole = { ...values, role: values.role ?? "member" };
    const role = readRole(deps.config, withRole, recordNote);
    const reason =
      invitationRefusal(one, batch) ??
      (role === undefined ? "it has no role of organization.roles" : undefined);
    if (reason) made.left.push({ key, reason });
    else {
      const read = readGiven(importedColumns.invitation, values);
      const expiresAt = read.expiresAt ?? new Date(now);
      // The older schema does not record when an invitation was sent.
      const sent = Math.min(now, expiresAt.getTime() - lifetime);
      const createdAt = read.createdAt ?? new Date(sent);
      const isTeamThere = teamId !== null && !batch.isLeft("team", teamId);
      const row = {
        ...read,
        email: normalizeEmail(values.email),
        role,
        teamId: isTeamThere ? teamId : null,
        expiresAt,
        createdAt,
        mailedAt: createdAt,
      };
      made.rows.push({ key, hash, values: row });
    }
  }
  return made;
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
      plan: async (given) => planInvitations(deps, given, batch),
    },
    batch,
  );
