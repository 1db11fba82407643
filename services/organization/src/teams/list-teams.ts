import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { listTeamsFor } from "./queries.ts";
import { showTeam } from "./show-team.ts";

type ListTeams = typeof operations.organization.listTeams;

const limit = 100;

/** Returns the teams of an organization, oldest first. Throws `NO_ACTIVE_ORGANIZATION`, and `FORBIDDEN` if the caller is not a member. */
export const listTeams = async (
  { db }: Pick<Deps, "db">,
  { query, session }: Call<ListTeams>,
): Promise<Answer<OperationReply<ListTeams>>> => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const { userId } = session.session;
  const teams = await listTeamsFor(db, { organizationId, userId, limit });
  if (!teams) throw new WireError("FORBIDDEN");
  return { reply: teams.map(showTeam) };
};
