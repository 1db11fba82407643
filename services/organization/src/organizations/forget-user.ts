import type { Event } from "@latchkey/contracts";
import { inBatches } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { deleteInvitationsOf } from "../members/withdraw-invitations.ts";
import { deleteIssuedOf } from "../rows/issued-invitations.ts";
import { eraseOrganization } from "./change-organization.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { forgetOrganization } from "../sessions/active-organization.ts";
import { isLastOwner, endMembership } from "../members/change-members.ts";
import { mergeMembers } from "../members/merge-members.ts";
import {
  deleteDeparted,
  type DeletedUser,
  findMembership,
  insertDeparted,
  listOrganizationsOfDeleted,
  lockMemberships,
  upsertBan,
} from "../rows/members.ts";

type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "identity" | "logger" | "newEventId" | "ring" | "wakeRelay"
>;

/** The number of organizations that one query returns. Each is then processed in its own transaction. */
const batchSize = 100;
const actor = { kind: "system" } as const;

/** Returns the former members of the organization if it is deleted with the user. */
const forgetIn = async (
  deps: Needs,
  organizationId: string,
  { userId, email, deletedAt }: DeletedUser,
): Promise<string[]> => {
  const { config } = deps;
  const members = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) return undefined;
    await deleteInvitationsOf(deps, trx, { organizationId, userId, email, before: deletedAt });
    const member = await findMembership(trx, { organizationId, userId });
    if (!member) return undefined;
    const isErased =
      config.organization.onLastOwnerDeleted === "delete" &&
      (await isLastOwner(trx, config, member));
    if (isErased) return (await eraseOrganization(deps, trx, { organization, actor }))?.userIds;
    await endMembership(deps, trx, { member, actor });
    return undefined;
  });
  deps.wakeRelay();
  return members ?? [];
};

/**
 * Deletes a deleted user's memberships, the invitations that they sent and those to their address. If they were the last owner, the
 * organization is deleted or kept, as the options say. The user is recorded as departed first, behind a lock on their memberships.
 * Therefore no membership can begin after a step has passed. Each step works on the remaining rows, so that it may be interrupted and run
 * again. A merge into another user is applied first, because its own event may be late.
 */
export const forgetUser = async (
  deps: Needs,
  { id: requestId, data: { userId, email, merge }, occurredAt }: Event<"user.deleted">,
): Promise<void> => {
  const { db, clock } = deps;
  if (merge) await mergeMembers(deps, { data: { ...merge, mergedUserId: userId } });
  const deleted = { userId, email, deletedAt: new Date(occurredAt) };
  await db.transaction().execute(async (trx) => {
    await lockMemberships(trx, userId);
    await insertDeparted(trx, userId, new Date(clock()));
  });
  for (;;) {
    const organizationIds = await listOrganizationsOfDeleted(db, deleted, batchSize);
    if (organizationIds.length === 0) return deleteIssuedOf(db, deleted);
    for (const organizationId of organizationIds) {
      const userIds = await forgetIn(deps, organizationId, deleted);
      await forgetOrganization(deps, { requestId }, { organizationId, userIds });
    }
  }
};

/** Records a ban of a user, whose invitations are void while it is in force. Events older than the stored version change nothing. */
export const recordBan = async (
  { db }: Pick<Deps, "db">,
  { data: { userId, revision, banned, banExpires } }: Event<"user.ban-changed">,
): Promise<void> => {
  const bannedUntil = banExpires === null ? null : new Date(banExpires);
  await upsertBan(db, { userId, revision, banned, bannedUntil });
};

/** Far longer than the lifetime of a gateway's signed caller. */
const keptMilliseconds = 3_600_000;
const sweptBatchSize = 1_000;

/** Deletes records of departed users that are so old that no request of theirs can be in flight. */
export const sweepDepartedUsers = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - keptMilliseconds);
  await inBatches(sweptBatchSize, (limit) => deleteDeparted(db, before, limit));
};
