import { type Caller, operations, type UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Who is asked for: by ids or by addresses in lower case. */
export interface UsersAsked {
  ids?: readonly string[];
  emails?: readonly string[];
}

/**
 * The users of some ids or addresses, by one call of identity; those who have ceased to exist are left out. Rejects where
 * identity is away.
 */
export const findUsers = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  { ids = [], emails = [] }: UsersAsked,
): Promise<UserSummary[]> => {
  if (ids.length === 0 && emails.length === 0) return [];
  const body = { ids: [...new Set(ids)], emails: [...emails] };
  const { users } = await identity.call(operations.identity.findUsers, { body }, { requestId });
  return users.map(({ id, name, email, image }) => ({ id, name, email, image }));
};
