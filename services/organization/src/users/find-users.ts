import { type Caller, operations, type UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Selects users by ids or by lower-case addresses. */
export interface UsersAsked {
  ids?: readonly string[];
  emails?: readonly string[];
}

/** Returns the users with some ids or addresses, by one call to identity, without deleted users. Rejects if identity is unavailable. */
export const findUsers = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  { ids = [], emails = [] }: UsersAsked,
): Promise<UserSummary[]> => {
  if (ids.length === 0 && emails.length === 0) return [];
  const body = { ids: [...new Set(ids)], emails: [...emails] };
  return (await identity.call(operations.identity.findUsers, { body }, { requestId })).users;
};
