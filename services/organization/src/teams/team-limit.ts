import type { Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/**
 * Returns the most members of a team, or undefined for no limit. Calls a function of the options, so it must not run within a transaction.
 */
export const teamLimit = async (
  { config }: Pick<Deps, "config">,
  about: { teamId: string; organizationId: string; session: Session | null },
): Promise<number | undefined> => {
  const { maximumMembersPerTeam } = config.organization.teams;
  return typeof maximumMembersPerTeam === "function"
    ? maximumMembersPerTeam(about)
    : maximumMembersPerTeam;
};
