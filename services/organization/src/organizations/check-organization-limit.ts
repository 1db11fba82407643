import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { countMembershipsOf } from "../members/count-memberships-of.ts";

/**
 * Refuses a user who is a member of as many organizations as one may be who creates another. Where `db` is a transaction
 * that has locked the user's memberships, that holds however many they create at once.
 */
export const checkOrganizationLimit = async (
  { config, db }: Pick<Deps, "config" | "db">,
  userId: string,
): Promise<void> => {
  const { organizationLimit: limit } = config.organization;
  if (typeof limit === "number" && (await countMembershipsOf(db, userId)) >= limit)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
};
