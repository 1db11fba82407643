import {
  adminStatements,
  hasPermissions,
  type OperationReply,
  type operations,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type AdminListPermissions = typeof operations.identity.adminListPermissions;

/** Returns the caller's permissions among those that admin operations require, each checked as they check it. */
export const listPermissions = async (
  { config }: Pick<Deps, "config">,
  { session: { user } }: Call<AdminListPermissions>,
): Promise<Answer<OperationReply<AdminListPermissions>>> => {
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
