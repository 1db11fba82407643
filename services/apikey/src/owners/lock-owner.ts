import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { KeyOwner } from "../db/key-row.ts";
import { hasOrganizationDeparted } from "./organization-queries.ts";
import { findOwner, lockKeysOf } from "./queries.ts";

/** Whether an owner may get keys. */
export type OwnerState = "free" | "banned" | "departed";

/** The session in which a user adds a key. */
export type ActingSession = ResolvedSession;

/** The part of it that the lock needs. */
interface Acting {
  session: { createdAt: Date };
  user: { id: string };
}

/** The owner of a new key, and the session in which a user adds it. */
interface Adding {
  owner: KeyOwner;
  by?: Acting | undefined;
}

/**
 * Returns the state of a user who gets a key or adds one. For a session that began before the verified owner of the address claimed the
 * user, an admin secured the user, or a new password ended sessions, the user counts as departed.
 */
const stateOf = async (
  { clock }: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { userId, by }: { userId: string } & Pick<Adding, "by">,
): Promise<OwnerState> => {
  const owner = await findOwner(trx, userId, new Date(clock()));
  if (!owner) return "free";
  const { hasDeparted, isBanned, claimedAt, securedAt, sessionsEndedAt } = owner;
  const isBefore = (end: Date | null) => by && end && by.session.createdAt <= end;
  // The session that a change of the password starts begins at that moment.
  const hasEnded = by && sessionsEndedAt && by.session.createdAt < sessionsEndedAt;
  if (hasDeparted || hasEnded || isBefore(claimedAt) || isBefore(securedAt)) return "departed";
  return isBanned ? "banned" : "free";
};

/**
 * Locks an owner's set of keys until the transaction ends, and returns whether the owner may get any. A key that is inserted under this lock
 * is seen by the deletion of its owner. Only a ban can still change the state. A key of an organization also depends on the member who adds
 * it, whose own keys are locked after those of the organization. Thus the events about that member see the key, too.
 */
export const lockOwner = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { owner, by }: Adding,
): Promise<OwnerState> => {
  await lockKeysOf(trx, owner);
  if ("organizationId" in owner && (await hasOrganizationDeparted(trx, owner.organizationId)))
    return "departed";
  const userId = "userId" in owner ? owner.userId : by?.user.id;
  if ("organizationId" in owner && userId !== undefined) await lockKeysOf(trx, { userId });
  return userId === undefined ? "free" : stateOf(deps, trx, { userId, by });
};
