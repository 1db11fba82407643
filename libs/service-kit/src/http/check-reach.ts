import {
  type Caller,
  mayActOnEverybody,
  operations,
  type Options,
  type RequiredPermission,
  WireError,
} from "@latchkey/contracts";
import type { ResolvedSession } from "./require-session.ts";
import type { ServiceClient } from "./service-client.ts";

/**
 * Rejects an admin operation if one of the users has a permission that the caller lacks. Identity compares the current roles.
 * It is not called for a caller who may act on all users. Rejects if identity is unavailable.
 */
export const checkReach = async (
  deps: { identity: ServiceClient; config: Pick<Options, "admin"> },
  { caller, session }: { caller: Caller; session: ResolvedSession },
  { permission, targetIds }: { permission: RequiredPermission; targetIds: readonly string[] },
): Promise<void> => {
  if (targetIds.length === 0 || mayActOnEverybody(deps.config.admin, session.user)) return;
  const { resource, action, refusal } = permission;
  const body = {
    userId: session.user.id,
    permission: { resource, action },
    targetIds: [...new Set(targetIds)],
  };
  const { mayActOn } = operations.identity;
  const { success } = await deps.identity.call(mayActOn, { body }, { requestId: caller.requestId });
  if (!success) throw new WireError(refusal);
};
