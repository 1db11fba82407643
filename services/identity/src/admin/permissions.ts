import {
  mayDo,
  type RoleHolder,
  WireError,
  hasPermissions,
  mayActOn,
  adminStatements,
} from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Deps, Handler, CallOf, AnswerOf } from "../deps.ts";
import { findUser } from "../users/find-users.ts";
import { listRoles } from "../users/roles/queries.ts";

type Needs = Pick<Deps, "config">;

const answer = (
  { config }: Needs,
  holder: RoleHolder,
  { permissions, permission, connector }: CallOf<"hasPermission">["body"],
): AnswerOf<"adminHasPermission"> => ({
  reply: {
    error: null,
    success: mayDo(config.admin, holder, {
      permissions: permissions ?? permission ?? {},
      connector,
    }),
  },
});

/** Returns whether the caller has all given permissions. Reports about no other user. */
export const adminHasPermission: Handler<"adminHasPermission"> = async (
  deps,
  { body, session: { user } },
) => answer(deps, user, body);

/** Returns for a service whether a user, or a role by itself, has the given permissions. */
export const hasPermission: Handler<"hasPermission"> = async (deps, { body }) => {
  const { userId, role } = body;
  const user = userId === undefined ? undefined : await findUser(deps, { id: userId });
  const holder = user ?? (role === undefined ? undefined : { role });
  if (!holder) throw new WireError("PERMISSION_USER_NOT_FOUND");
  return answer(deps, holder, body);
};

/** Returns to a service whether one of its admin operations may act on these users, by their current roles. */
export const mayActOnUsers: Handler<"mayActOn"> = async (
  { config: { admin }, db },
  { body: { userId, permission, targetIds } },
) => {
  const users = await listRoles(db, [userId, ...targetIds]);
  const caller = users.find(({ id }) => id === userId);
  const success =
    caller !== undefined &&
    hasPermissions(admin, caller, { [permission.resource]: [permission.action] }) &&
    users.every((user) => mayActOn(admin, caller, user));
  return { reply: { success } };
};

/** Returns the caller's permissions among those that admin operations require, each checked as they check it. */
export const adminListPermissions: Handler<"adminListPermissions"> = async (
  { config },
  { session: { user } },
) => {
  const allowed = Object.entries(adminStatements).map(([resource, actions]) => [
    resource,
    actions.filter((action) => hasPermissions(config.admin, user, { [resource]: [action] })),
  ]);
  return {
    reply: {
      permissions: Object.fromEntries(allowed.filter(([, actions]) => (actions ?? []).length > 0)),
    },
  };
};

/** Writes the audit entry of a reset by the gateway, which has no audit log of its own. */
export const recordRateLimitReset: Handler<"recordRateLimitReset"> = async (
  deps,
  { body: { adminId, ipAddress, client }, caller },
) => {
  await appendAudit(deps.db, deps, {
    actor: { kind: "user", id: adminId },
    subject: { kind: "ip-address", id: ipAddress },
    action: "rate-limit.reset",
    caller: { ...caller, ...client },
  });
  return { reply: { status: true } };
};
