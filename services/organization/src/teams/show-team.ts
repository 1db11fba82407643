import type { Team } from "@latchkey/contracts";
import type { TeamRow } from "./queries.ts";

/** Returns a team for replies. */
export const showTeam = ({ id, name, organizationId, createdAt, updatedAt }: TeamRow): Team => ({
  id,
  name,
  organizationId,
  createdAt,
  updatedAt,
});
