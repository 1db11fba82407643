import { type Caller, operations, type UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Returns the existing users among some ids, by one call to identity. Rejects if identity is unavailable. */
export const findOwners = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  userIds: readonly string[],
): Promise<Map<string, UserSummary>> => {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const body = { ids };
  const { users } = await identity.call(operations.identity.findUsers, { body }, { requestId });
  return new Map(users.map(({ id, name, email, image }) => [id, { id, name, email, image }]));
};
