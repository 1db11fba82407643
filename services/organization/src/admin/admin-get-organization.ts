import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  type FullOrganization,
  readFullOrganization,
} from "../organizations/read-full-organization.ts";
import { withUsers } from "../users/with-users.ts";
import { countContents, countTeams } from "./queries.ts";

type AdminGetOrganization = typeof operations.organization.adminGetOrganization;

const countMax = exactTotalMax + 1;

type Teams = OperationReply<AdminGetOrganization>["teams"];

const withCounts = async (
  { db }: Pick<Deps, "db">,
  teams: FullOrganization["teams"],
): Promise<Teams> => {
  if (teams === null || teams.length === 0) return teams && [];
  const ids = teams.map(({ id }) => id);
  const counts = new Map(await countTeams(db, ids, countMax));
  return teams.map((team) => ({ ...team, memberCount: counts.get(team.id) ?? 0 }));
};

/** Returns an organization to an admin, with the first or last of its contents and their counts. Throws `ORGANIZATION_NOT_FOUND`. */
export const adminGetOrganization = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "lookUpUsers" | "ring">,
  { params: { id } }: Call<AdminGetOrganization>,
): Promise<Answer<OperationReply<AdminGetOrganization>>> => {
  const [found, counts] = await Promise.all([
    readFullOrganization(deps, { id }),
    countContents(deps.db, id, countMax),
  ]);
  if (!found) throw new WireError("ORGANIZATION_NOT_FOUND");
  const [members, teams] = await Promise.all([
    withUsers(deps, found.members),
    withCounts(deps, found.teams),
  ]);
  const { memberCount, invitationCount, teamCount } = counts;
  return {
    reply: {
      ...found,
      members,
      teams,
      memberCount,
      invitationCount,
      teamCount: teams && teamCount,
    },
  };
};
