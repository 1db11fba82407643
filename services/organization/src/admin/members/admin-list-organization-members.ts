import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { showMember } from "../../members/show-member.ts";
import { findOrganizationById } from "../../organizations/queries.ts";
import { withUsers } from "../../users/with-users.ts";
import { listAndCount, type MembersRange } from "./queries.ts";
import { type FoundMembers, searchMembers } from "./search-members.ts";

type AdminListMembers = typeof operations.organization.adminListOrganizationMembers;

const countMax = exactTotalMax + 1;

const list = async (
  deps: Pick<Deps, "config" | "db" | "identity">,
  { caller }: Pick<Call<AdminListMembers>, "caller">,
  range: MembersRange,
): Promise<FoundMembers> => {
  const { page } = range;
  const withOneMore = { ...range, page: { ...page, limit: page.limit + 1 } };
  const { rows, count } = await listAndCount(deps.db, withOneMore, countMax);
  const { shown, ...next } = takePage(page, rows, ({ createdAt }) => createdAt);
  const members = shown.map((row) => showMember(deps.config, row));
  return { members: await withUsers(deps, caller, members), ...next, count };
};

/**
 * Returns a page of the members of any organization, in the order of joining, without deleted users. A search matches a part of the name or
 * address. Among more than a thousand members it matches a whole address or an id. Throws `ORGANIZATION_NOT_FOUND`, and `VALIDATION_ERROR`
 * for invalid limits and cursors.
 */
export const adminListOrganizationMembers = async (
  deps: Pick<Deps, "config" | "db" | "identity">,
  call: Call<AdminListMembers>,
): Promise<Answer<OperationReply<AdminListMembers>>> => {
  const { params, query, caller } = call;
  const page = readPage({ by: "createdAt", direction: query.sortDirection ?? "asc" }, query);
  const range = { organizationId: params.id, role: query.role || undefined, page };
  const term = query.searchValue?.trim();
  const [organization, { members, nextCursor, count }] = await Promise.all([
    findOrganizationById(deps.db, params.id),
    term ? searchMembers(deps, { ...range, term, caller }) : list(deps, call, range),
  ]);
  if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
  return {
    reply: {
      members,
      total: count,
      ...(count === countMax && { totalIsEstimate: true }),
      ...(nextCursor && { nextCursor }),
    },
  };
};
