import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { requireSecondFactor } from "../two-factor/require-second-factor.ts";
import { listTeamsFor } from "./queries.ts";
import { showTeam } from "./show-team.ts";

type ListTeams = typeof operations.organization.listTeams;

const limit = 100;

/** Returns the teams of an organization, oldest first. Throws `NO_ACTIVE_ORGANIZATION`, and `FORBIDDEN` if the caller is not a member. */
export const listTeams = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { query, caller, session }: Call<ListTeams>,
): Promise<Answer<OperationReply<ListTeams>>> => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const { userId } = session.session;
  const found = await listTeamsFor(deps.db, { organizationId, userId, limit });
  if (!found) throw new WireError("FORBIDDEN");
  requireSecondFactor(deps, { caller, session }, found);
  return { reply: found.teams.map(showTeam) };
};
