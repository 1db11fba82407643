import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countTeamMembers } from "../members/queries.ts";
import { findTeamById } from "./queries.ts";

/**
 * Checks that a team can take another member, in a transaction that has locked the organization. Throws `TEAM_NOT_FOUND`, and
 * `TEAM_MEMBER_LIMIT_REACHED` if it has `limit` members.
 */
export const checkTeam = async (
  trx: Transaction<Tables>,
  { id, organizationId, limit }: { id: string; organizationId: string; limit: number | undefined },
): Promise<void> => {
  if (!(await findTeamById(trx, { organizationId, id }))) throw new WireError("TEAM_NOT_FOUND");
  if (limit !== undefined && (await countTeamMembers(trx, id)) >= limit)
    throw new WireError("TEAM_MEMBER_LIMIT_REACHED");
};
