import { type Caller, operations, type RoleHolder, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/**
 * Returns the user for whom a service or an admin creates a key. Throws `INVALID_SESSION` if a service names no user, `USER_NOT_FOUND` and
 * `USER_BANNED`. Rejects if identity is unavailable.
 */
export const checkOwner = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  userId: string | null | undefined,
): Promise<RoleHolder & { id: string }> => {
  if (!userId) throw new WireError("INVALID_SESSION");
  const body = { userId };
  const owner = await identity.call(operations.identity.findKeyOwner, { body }, { requestId });
  if (!owner) throw new WireError("USER_NOT_FOUND", { status: 400 });
  if (owner.isBanned) throw new WireError("USER_BANNED");
  return owner.user;
};
