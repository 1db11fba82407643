import type { Team } from "@latchkey/contracts";
import { namesOf, picker } from "@latchkey/service-kit";
import { teamColumns } from "../db/tables.ts";
import type { TeamRow } from "./queries.ts";

/** Returns a team for replies. */
export const showTeam: (row: TeamRow) => Team = picker<Team>(namesOf(teamColumns));
