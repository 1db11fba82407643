import { mayActOnEverybody, operations, WireError } from "@latchkey/contracts";
import { type Call, checkReach } from "@latchkey/service-kit/http";
import { type ApiKeyRow, type KeyOwner, ownerOf } from "../db/key-row.ts";
import type { Deps } from "../deps.ts";
import { findKey } from "../keys/queries.ts";
import { listOrganizationOwners } from "../organizations/organization-calls.ts";

type CheckOwnerReachNeeds = Pick<Deps, "config" | "identity" | "organization">;
export type CheckKeyReachNeeds = CheckOwnerReachNeeds & Pick<Deps, "db">;

type AdminCall = Pick<Call<typeof operations.apikey.adminCreateApiKey>, "caller" | "session">;
type AdminOperation = Extract<keyof typeof operations.apikey, `admin${string}`>;

/**
 * Refuses an action on the keys of an owner who has a permission that the caller lacks. For an organization these are its owners, as for
 * all admin operations on organizations. Throws the error of the permission, and `ORGANIZATION_NOT_FOUND`.
 */
export const checkOwnerReach = async (
  deps: CheckOwnerReachNeeds,
  call: AdminCall,
  { owner, operation }: { owner: KeyOwner; operation: AdminOperation },
): Promise<void> => {
  if (mayActOnEverybody(deps.config.admin, call.session.user)) return;
  const targetIds =
    "userId" in owner
      ? [owner.userId]
      : await listOrganizationOwners(deps, call.caller, owner.organizationId);
  const { permission } = operations.apikey[operation];
  await checkReach(deps, call, { permission, targetIds });
};

/**
 * Returns a key that the caller may act on, by the rule of `checkOwnerReach`. The owner of a key never changes. Throws `KEY_NOT_FOUND`, also
 * for a key whose organization was just deleted, and the error of the permission.
 */
export const checkKeyReach = async (
  deps: CheckKeyReachNeeds,
  call: AdminCall & { params: { id: string } },
  operation: AdminOperation,
): Promise<ApiKeyRow> => {
  const key = await findKey(deps.db, call.params.id);
  if (!key) throw new WireError("KEY_NOT_FOUND");
  try {
    await checkOwnerReach(deps, call, { owner: ownerOf(key), operation });
  } catch (error) {
    const isGone = error instanceof WireError && error.code === "ORGANIZATION_NOT_FOUND";
    throw isGone ? new WireError("KEY_NOT_FOUND") : error;
  }
  return key;
};
