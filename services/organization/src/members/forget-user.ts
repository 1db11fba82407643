import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { deleteInvitationsOf } from "../invitations/delete-invitations-of.ts";
import { eraseOrganization } from "../organizations/erase-organization.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { expelMember } from "./expel-member.ts";
import { isLastOwner } from "./is-last-owner.ts";
import {
  type DeletedUser,
  findMembership,
  insertDeparted,
  listOrganizationsOfDeleted,
  lockMemberships,
} from "./queries.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

/** Organizations that are looked up together; each is then left in a transaction of its own. */
const batchSize = 100;
const actor = { kind: "system" } as const;

const forgetIn = async (
  deps: Needs,
  organizationId: string,
  { userId, email, deletedAt }: DeletedUser,
): Promise<void> => {
  const { config } = deps;
  await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) return;
    await deleteInvitationsOf(deps, trx, { organizationId, userId, email, before: deletedAt });
    const member = await findMembership(trx, { organizationId, userId });
    if (!member) return;
    const isErased =
      config.organization.onLastOwnerDeleted === "delete" &&
      (await isLastOwner(trx, config, member));
    if (isErased) await eraseOrganization(deps, trx, { organization, actor });
    else await expelMember(deps, trx, { member, actor });
  });
  deps.wakeRelay();
};

/**
 * Ends what a user who has ceased to exist has in organizations: memberships, the pending invitations that they sent, and
 * those to their address. An organization whose last owner they were is deleted with them, or kept, as the options say.
 * They are noted as departed first, after whatever makes them a member now, so nothing begins anew behind the steps; each
 * step finds what the ones before have left, so that it may be broken off and run again.
 */
export const forgetUser = async (
  deps: Needs,
  { data: { userId, email }, occurredAt }: Event<"user.deleted">,
): Promise<void> => {
  const { db, clock } = deps;
  const deleted = { userId, email, deletedAt: new Date(occurredAt) };
  await db.transaction().execute(async (trx) => {
    await lockMemberships(trx, userId);
    await insertDeparted(trx, userId, new Date(clock()));
  });
  for (;;) {
    const organizationIds = await listOrganizationsOfDeleted(db, deleted, batchSize);
    if (organizationIds.length === 0) return;
    for (const organizationId of organizationIds) await forgetIn(deps, organizationId, deleted);
  }
};
