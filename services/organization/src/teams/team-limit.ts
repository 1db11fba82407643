import type { Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** The most members of a team; undefined where there is no limit. Asks the options, so not within a transaction. */
export const teamLimit = async (
  { config }: Pick<Deps, "config">,
  about: { teamId: string; organizationId: string; session: Session | null },
): Promise<number | undefined> => {
  const { maximumMembersPerTeam } = config.organization.teams;
  return typeof maximumMembersPerTeam === "function"
    ? maximumMembersPerTeam(about)
    : maximumMembersPerTeam;
};
