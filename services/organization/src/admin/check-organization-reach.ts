import {
  mayActOnEverybody,
  type operations,
  type RequiredPermission,
  WireError,
} from "@latchkey/contracts";
import { type Call, checkReach } from "@latchkey/service-kit";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findMemberById, listOwnerIds } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";

export type OrganizationReachNeeds = Pick<Deps, "config" | "db" | "identity">;

type AnyCall = Pick<
  Call<typeof operations.organization.adminDeleteOrganization>,
  "caller" | "session"
>;

/** The action of an admin operation. */
interface Act {
  /** The permission that the operation requires, with the error to throw without it. */
  permission: RequiredPermission;
  organizationId: string;
  /** The user whose membership the operation changes. */
  userId?: string;
  /** The membership that the operation changes. */
  memberId?: string;
}

/** Must be called in the transaction of the change, after the organization is locked. */
type Recheck = (trx: Kysely<Tables>) => Promise<void>;

const targetOf = async (
  deps: OrganizationReachNeeds,
  { organizationId, userId, memberId }: Act,
): Promise<string[]> => {
  if (userId !== undefined) return [userId];
  if (memberId === undefined) return [];
  const member = await findMemberById(deps.db, { organizationId, id: memberId });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return [member.userId];
};

/**
 * Prevents privilege escalation by admins. Refuses an operation on an organization if an owner, or the affected member, has an installation
 * permission that the caller lacks. The returned check refuses if another owner was added in the meantime.
 */
export const checkOrganizationReach = async (
  deps: OrganizationReachNeeds,
  call: AnyCall,
  act: Act,
): Promise<Recheck> => {
  const { admin, organization } = deps.config;
  if (mayActOnEverybody(admin, call.session.user)) return async () => {};
  const { permission, organizationId } = act;
  const { creatorRole } = organization;
  const owners = await listOwnerIds(deps.db, { organizationId, creatorRole });
  const targetIds = [...owners, ...(await targetOf(deps, act))];
  await checkReach(deps, call, { permission, targetIds });
  return async (trx) => {
    const current = await listOwnerIds(trx, { organizationId, creatorRole });
    if (!current.every((id) => owners.includes(id))) throw new WireError(permission.refusal);
  };
};

/** Runs a change in a transaction that has locked the organization and checked the reach again. */
export const changeWithinReach = <Result>(
  { db }: Pick<Deps, "db">,
  { organizationId, recheck }: { organizationId: string; recheck: Recheck },
  change: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    await recheck(trx);
    return change(trx);
  });
