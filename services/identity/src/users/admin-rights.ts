import {
  type Caller,
  readRoleNames,
  hasPermissions,
  isAdmin,
  mayActOn,
  type RequiredPermission,
  type RoleHolder,
  WireError,
} from "@latchkey/contracts";
import { type AuditEntry, serviceActor, sessionActor } from "@latchkey/service-kit/audit";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findUser } from "./find-users.ts";
import { isBanned } from "./user-row.ts";
import { lockRoles, findOtherAdmin, lockAdmins, lockRole } from "./roles/queries.ts";

/** The caller of an admin operation: an admin with a session, or an internal service. */
export interface AdminCall {
  caller: Caller;
  session?: ResolvedSession | undefined;
}

/** Returns the actor for the audit. */
export const adminActor = ({ caller, session }: AdminCall): AuditEntry["actor"] =>
  session ? sessionActor(session) : serviceActor(caller);

/** Returns whether an admin would act on their own user. */
export const isOneself = ({ session }: AdminCall, userId: string): boolean =>
  session?.user.id === userId;

/** Returns roles in stored form: trimmed, each once. Rejects an empty list and unknown roles. */
export const readRoles = (
  { roles, defaultRole }: Pick<IdentityConfig["admin"], "roles" | "defaultRole">,
  given: string | readonly string[],
): string => readRoleNames(given, (name) => name === defaultRole || Object.hasOwn(roles, name));

/** Returns the role of admins: the first configured one. Throws if none is configured, or if it is not a known role. */
export const adminRole = (options: IdentityConfig["admin"]): string =>
  readRoles(options, options.adminRoles[0] ?? "");

/**
 * Returns whether a user has a permission that users do not have by default. Attackers persuade carriers to hand a number over, so a code
 * by text message does not sign such a user in.
 */
export const holdsPower = (
  { config: { admin } }: { config: Pick<IdentityConfig, "admin"> },
  user: RoleHolder,
): boolean => admin.enabled && !mayActOn(admin, { role: admin.defaultRole }, user);

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

/**
 * Returns whether an impersonation is still allowed. It ends when the admin is deleted, banned or demoted, and when its
 * user gets a permission that the admin lacks.
 */
export const canContinueImpersonating = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { adminId, user }: { adminId: string; user: RoleHolder },
): Promise<boolean> => {
  const { admin } = deps.config;
  if (!admin.enabled || (isAdmin(admin, user) && !admin.allowImpersonatingAdmins)) return false;
  const adminUser = await findUser(deps, { id: adminId });
  return (
    adminUser !== undefined &&
    !isBanned(adminUser, deps.clock()) &&
    hasPermissions(admin, adminUser, { user: ["impersonate"] }) &&
    mayActOn(admin, adminUser, user)
  );
};

/**
 * Rejects the loss of the last admin, in the transaction of the change. Such changes wait for each other, so that one of
 * two admins who remove each other stays. Changes of other users do not wait. Nothing is checked if there are no admin
 * features.
 */
export const requireOtherAdmin = async (
  { clock, config: { admin } }: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { losing }: { losing: string },
): Promise<void> => {
  if (!admin.enabled) return;
  const now = new Date(clock());
  const { adminRoles, adminUserIds } = admin;
  const lost = await lockRole(trx, losing);
  if (!lost || !isAdmin(admin, lost)) return;
  await lockAdmins(trx);
  const other = await findOtherAdmin(trx, { than: losing, adminRoles, adminUserIds, now });
  if (!other) throw new WireError("YOU_CANNOT_REMOVE_THE_LAST_ADMIN");
};
