import {
  type Caller,
  operations,
  type OrganizationSummary,
  type UserSummary,
} from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { OwnerColumns } from "../keys/key-owner.ts";
import { findOrganizations } from "../organizations/find-organizations.ts";

/** The existing owners of some keys, by id. */
export interface Owners {
  users: ReadonlyMap<string, UserSummary>;
  organizations: ReadonlyMap<string, OrganizationSummary>;
}

const findUsers = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  given: readonly string[],
): Promise<Owners["users"]> => {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const body = { ids };
  const { users } = await identity.call(operations.identity.findUsers, { body }, { requestId });
  return new Map(users.map((user) => [user.id, user]));
};

/** Returns the owners of some keys, by at most one call to each service. Rejects if a service that has to answer is unavailable. */
export const findOwners = async (
  deps: Pick<Deps, "identity" | "organization">,
  caller: Pick<Caller, "requestId">,
  keys: readonly OwnerColumns[],
): Promise<Owners> => {
  const [users, organizations] = await Promise.all([
    findUsers(
      deps,
      caller,
      keys.flatMap(({ userId }) => userId ?? []),
    ),
    findOrganizations(
      deps,
      caller,
      keys.flatMap(({ organizationId }) => organizationId ?? []),
    ),
  ]);
  return { users, organizations };
};
