import type { Team } from "@latchkey/contracts";
import type { TeamRow } from "./queries.ts";

/** A team as replies show it. */
export const showTeam = ({ id, name, organizationId, createdAt, updatedAt }: TeamRow): Team => ({
  id,
  name,
  organizationId,
  createdAt,
  updatedAt,
});
