import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  type Call,
  exactTotalMax,
  readPage,
  type ResolvedSession,
  takePage,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { withUsers } from "../users/with-users.ts";
import { listAndCountMembers, type Scope } from "./list/queries.ts";
import { type MemberListQuery, readMemberFilter } from "./list/read-member-filter.ts";
import { showMember } from "./show-member.ts";

type ListMembers = typeof operations.organization.listMembers;

const readScope = (
  session: ResolvedSession,
  { organizationId: named, organizationSlug: slug }: MemberListQuery,
): Scope => {
  const userId = session.user.id;
  if (slug) return { userId, slug };
  const organizationId = organizationOf(session, named);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return { userId, organizationId };
};

/**
 * Returns a page of the members of the caller's organization and the number of matches, oldest first by default. Leaves out deleted users.
 * Throws `NO_ACTIVE_ORGANIZATION`, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, and `VALIDATION_ERROR` for invalid limits, cursors and
 * filters.
 */
export const listMembers = async (
  deps: Pick<Deps, "config" | "db" | "identity">,
  { query, caller, session }: Call<ListMembers>,
): Promise<Answer<OperationReply<ListMembers>>> => {
  const { sortBy: by = "createdAt", sortDirection: direction = "asc" } = query;
  const page = readPage({ by, direction }, query);
  const filter = readMemberFilter(query);
  const scope = readScope(session, query);
  const withOneMore = { ...page, limit: page.limit + 1 };
  const found = await listAndCountMembers(
    deps.db,
    { scope, filter, page: withOneMore },
    exactTotalMax + 1,
  );
  if (!found) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
  const { shown, nextCursor } = takePage(page, found.rows, (row) => row[by]);
  const members = shown.map((row) => showMember(deps.config, row));
  return {
    reply: {
      members: await withUsers(deps, caller, members),
      total: found.count,
      ...(found.count > exactTotalMax && { totalIsEstimate: true }),
      ...(nextCursor && { nextCursor }),
    },
  };
};
