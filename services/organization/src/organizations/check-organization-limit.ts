import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { countMemberships } from "../members/queries.ts";

/**
 * Refuses a user who is a member of as many organizations as a creator may be. If `db` is a transaction that has locked the user's
 * memberships, the limit holds also for concurrent creations.
 */
export const checkOrganizationLimit = async (
  { config, db }: Pick<Deps, "config" | "db">,
  userId: string,
): Promise<void> => {
  const { organizationLimit: limit } = config.organization;
  if (typeof limit === "number" && (await countMemberships(db, userId)) >= limit)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
};
