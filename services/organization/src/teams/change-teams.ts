import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  countTeams,
  deleteTeam,
  findTeamById,
  insertTeam,
  type TeamRow,
  updateTeamName,
} from "./queries.ts";

// Changes of teams, each in a transaction that has locked the organization.

type By = Required<Pick<AuditEntry, "actor" | "caller">>;
type Place = Pick<TeamRow, "id" | "organizationId">;

/** Returns a team of an organization. Throws `TEAM_NOT_FOUND`. */
const requireTeam = async (trx: Transaction<Tables>, place: Place): Promise<TeamRow> => {
  const team = await findTeamById(trx, place);
  if (!team) throw new WireError("TEAM_NOT_FOUND");
  return team;
};

const subjectOf = ({ organizationId: id }: Place) => ({ kind: "organization", id });

/** Writes a new team. Throws `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`. A limit of 0 means none. */
export const addTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { team, limit, ...by }: { team: TeamRow; limit: number | undefined } & By,
): Promise<void> => {
  const { id, name, organizationId } = team;
  if (limit && (await countTeams(trx, organizationId)) >= limit)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS");
  await insertTeam(trx, team);
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(team),
    action: "team.created",
    after: { id, name },
  });
};

/** Renames a team and returns it. Without a name it changes nothing. Throws `TEAM_NOT_FOUND`. */
export const renameTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { place, name, ...by }: { place: Place; name: string | undefined } & By,
): Promise<TeamRow> => {
  const found = await requireTeam(trx, place);
  if (name === undefined) return found;
  const { id } = place;
  const change = { name, updatedAt: new Date(deps.clock()) };
  await updateTeamName(trx, { id, ...change });
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.updated",
    before: { id, name: found.name },
    after: { id, name },
  });
  return { ...found, ...change };
};

/** Deletes a team and returns it. Throws `TEAM_NOT_FOUND`, and `UNABLE_TO_REMOVE_LAST_TEAM` unless the options allow it. */
export const dropTeam = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { place, ...by }: { place: Place } & By,
): Promise<TeamRow> => {
  const found = await requireTeam(trx, place);
  const { allowRemovingAllTeams } = deps.config.organization.teams;
  if (!allowRemovingAllTeams && (await countTeams(trx, place.organizationId)) <= 1)
    throw new WireError("UNABLE_TO_REMOVE_LAST_TEAM");
  await deleteTeam(trx, place.id);
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.removed",
    before: { id: place.id, name: found.name },
  });
  return found;
};
