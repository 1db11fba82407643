import { mayActOnEverybody, operations, WireError } from "@latchkey/contracts";
import { type Call, checkReach } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findMemberById, listOwnerIds, lockMemberships } from "../rows/members.ts";
import { listRoleHolders } from "../rows/roles.ts";
import { lockOrganization, type OrganizationRow } from "../rows/organizations.ts";

type Needs = Pick<Deps, "config" | "db" | "identity">;

/** A call that names the organization in its path. */
type ReachCall = Pick<
  Call<typeof operations.organization.adminDeleteOrganization>,
  "caller" | "params" | "session"
>;

/** An admin operation, and the user or the membership of the organization in its path that it changes. */
interface Target {
  operation: Extract<keyof typeof operations.organization, `admin${string}`>;
  /** The user whose membership begins. */
  userId?: string;
  /** The membership that changes. */
  memberId?: string;
  /** The role that the organization made itself, whose members get other permissions. */
  roleId?: string;
}

/**
 * Runs a change in a transaction that has locked the organization and has checked the reach again. Passes the organization, or undefined
 * if there is none.
 */
type ChangeWithinReach = <Result>(
  change: (trx: Transaction<Tables>, organization: OrganizationRow | undefined) => Promise<Result>,
) => Promise<Result>;

const targetUsers = async (
  { db }: Pick<Needs, "db">,
  organizationId: string,
  { userId, memberId, roleId }: Target,
): Promise<string[]> => {
  if (userId !== undefined) return [userId];
  if (roleId !== undefined) return listRoleHolders(db, { organizationId, roleId });
  if (memberId === undefined) return [];
  const member = await findMemberById(db, { organizationId, id: memberId });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return [member.userId];
};

/**
 * Prevents privilege escalation by admins. Refuses an operation on an organization if an owner, or the affected user, has an installation
 * permission that the caller lacks. The change is refused if another owner, or another member of the role, was added in the meantime.
 */
export const reachOrganization = async (
  deps: Needs,
  call: ReachCall,
  target: Target,
): Promise<ChangeWithinReach> => {
  const { admin, organization } = deps.config;
  const { id: organizationId } = call.params;
  const { permission } = operations.organization[target.operation];
  const listTargets = async (db: Deps["db"]) => [
    ...(await listOwnerIds(db, { organizationId, creatorRole: organization.creatorRole })),
    ...(await targetUsers({ db }, organizationId, target)),
  ];
  const reachesAll = mayActOnEverybody(admin, call.session.user);
  const targets = reachesAll ? [] : await listTargets(deps.db);
  if (!reachesAll) await checkReach(deps, call, { permission, targetIds: targets });
  return (change) =>
    deps.db.transaction().execute(async (trx) => {
      if (target.userId !== undefined) await lockMemberships(trx, target.userId);
      const locked = await lockOrganization(trx, organizationId);
      const current = reachesAll ? [] : await listTargets(trx);
      if (!current.every((id) => targets.includes(id))) throw new WireError(permission.refusal);
      return change(trx, locked);
    });
};
