import { type operations, type RequiredPermission, WireError } from "@latchkey/contracts";
import { type Call, checkReach } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findKey } from "../keys/queries.ts";

export type CheckKeyReachNeeds = Pick<Deps, "config" | "db" | "identity">;

type KeyCall = Call<
  | typeof operations.apikey.adminDeleteApiKey
  | typeof operations.apikey.adminDisableApiKey
  | typeof operations.apikey.adminEnableApiKey
  | typeof operations.apikey.adminRerollApiKey
  | typeof operations.apikey.adminUpdateApiKey
>;

/**
 * Refuses an action on a key whose owner has a permission that the caller lacks. The owner of a key never changes. Throws `KEY_NOT_FOUND`,
 * and the error of the permission.
 */
export const checkKeyReach = async (
  deps: CheckKeyReachNeeds,
  call: KeyCall,
  permission: RequiredPermission,
): Promise<void> => {
  const key = await findKey(deps.db, call.params.id);
  if (!key) throw new WireError("KEY_NOT_FOUND");
  await checkReach(deps, call, { permission, targetIds: [key.userId] });
};
