import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readScopedList } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { showOrganization } from "../../organizations/show-organization.ts";
import { joinedList } from "./queries.ts";

type AdminListUserOrganizations = typeof operations.organization.adminListUserOrganizations;

/**
 * Returns a page of a user's organizations, in the order of joining. The page is empty for an unknown user. Throws `VALIDATION_ERROR` for
 * invalid limits and cursors.
 */
export const adminListUserOrganizations = async (
  { db }: Pick<Deps, "db">,
  { params: { id: userId }, query }: Call<AdminListUserOrganizations>,
): Promise<Answer<OperationReply<AdminListUserOrganizations>>> => {
  const found = await readScopedList(db, joinedList, { ...query, userId });
  const { rows, ...page } = found ?? { rows: [], total: 0 };
  const organizations = rows.map((row) => {
    const { memberId, role, joinedAt } = row;
    return Object.assign(showOrganization(row), { memberId, role, joinedAt });
  });
  return { reply: { organizations, ...page } };
};
