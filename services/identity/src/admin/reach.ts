import {
  hasPermissions,
  mayActOn,
  type RequiredPermission,
  type RoleHolder,
  WireError,
} from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { AdminCall } from "./admin-actor.ts";
import { lockRoles } from "./queries.ts";

/** The act of an admin operation. */
interface Act {
  /** The required permission, with the error to throw. */
  permission: RequiredPermission;
  /** The target user. Undefined if the operation creates one. */
  target?: RoleHolder | undefined;
  /** The roles that it assigns. */
  role?: string | undefined;
}

type Needs = Pick<Deps, "config">;

const check = (
  { config: { admin } }: Needs,
  caller: RoleHolder | undefined,
  { permission: { resource, action, refusal }, target, role }: Act,
): void => {
  const reaches = (other: RoleHolder) => caller !== undefined && mayActOn(admin, caller, other);
  const isAllowed =
    caller !== undefined &&
    hasPermissions(admin, caller, { [resource]: [action] }) &&
    (target === undefined || reaches(target)) &&
    (role === undefined || reaches({ role }));
  if (!isAllowed) throw new WireError(refusal);
};

/**
 * Rejects an act on a user who has a permission that the caller lacks, and the assignment of such a permission. Services
 * act without a session and without this limit.
 */
export const checkReach = (deps: Needs, { session }: AdminCall, act: Act): void => {
  if (session) check(deps, session.user, act);
};

/**
 * Returns the same check for the transaction of the change, with the current roles. Caller and target keep them until it
 * ends. A deleted target is left to the change itself.
 */
export const recheckReach =
  (deps: Needs, { session }: AdminCall, act: Act & { target: { id: string } }) =>
  async (trx: Transaction<Tables>): Promise<void> => {
    if (!session) return;
    const { id: callerId } = session.user;
    const { id: targetId } = act.target;
    const roles = await lockRoles(trx, { callerId, targetId });
    const target = roles.find(({ id }) => id === targetId);
    const caller = roles.find(({ id }) => id === callerId);
    if (target) check(deps, caller, { ...act, target });
  };
