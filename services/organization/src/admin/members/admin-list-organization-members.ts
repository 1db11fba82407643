import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, readScopedList } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { showMember } from "../../members/show-member.ts";
import { withUsers } from "../../users/with-users.ts";
import { adminMemberList } from "./queries.ts";
import { searchMembers } from "./search-members.ts";

type AdminListMembers = typeof operations.organization.adminListOrganizationMembers;

/**
 * Returns a page of the members of any organization, in the order of joining, without deleted users. A search matches a part of the name or
 * address. Among more than a thousand members it matches a whole address or an id. Throws `ORGANIZATION_NOT_FOUND`, and `VALIDATION_ERROR`
 * for invalid limits and cursors.
 */
export const adminListOrganizationMembers = async (
  deps: Pick<Deps, "config" | "db" | "lookUpUsers" | "identity">,
  { params: { id: organizationId }, query, caller }: Call<AdminListMembers>,
): Promise<Answer<OperationReply<AdminListMembers>>> => {
  const { searchValue, ...range } = query;
  const term = searchValue?.trim();
  if (term) return { reply: await searchMembers(deps, { ...range, organizationId, term, caller }) };
  const found = await readScopedList(deps.db, adminMemberList, { ...range, organizationId });
  if (!found) throw new WireError("ORGANIZATION_NOT_FOUND");
  const { rows, ...page } = found;
  const members = rows.map((row) => showMember(deps.config, row));
  return { reply: { members: await withUsers(deps, members), ...page } };
};
