import type { Caller, Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requestOrigin } from "../users/request-origin.ts";

/**
 * Returns the most teams of an organization. 0 and undefined mean no limit. Calls a function of the options, so it must not run within a
 * transaction.
 */
export const teamCountLimit = async (
  { config }: Pick<Deps, "config">,
  { caller, ...about }: { organizationId: string; session: Session | null; caller: Caller },
): Promise<number | undefined> => {
  const { maximumTeams } = config.organization.teams;
  return typeof maximumTeams === "function"
    ? maximumTeams(about, requestOrigin(caller))
    : maximumTeams;
};

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
