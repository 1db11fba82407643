import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { showOrganization } from "../../organizations/show-organization.ts";
import { countJoined, type JoinedOrganization, listJoined } from "./queries.ts";

type AdminListUserOrganizations = typeof operations.organization.adminListUserOrganizations;

const countMax = exactTotalMax + 1;

const show = ({
  id: memberId,
  role,
  joinedAt,
  organization,
}: JoinedOrganization): OperationReply<AdminListUserOrganizations>["organizations"][number] => ({
  ...showOrganization(organization),
  role,
  memberId,
  joinedAt,
});

/**
 * Returns a page of a user's organizations, in the order of joining. The page is empty for an unknown user. Throws `VALIDATION_ERROR` for
 * invalid limits and cursors.
 */
export const adminListUserOrganizations = async (
  { db }: Pick<Deps, "db">,
  { params: { id: userId }, query }: Call<AdminListUserOrganizations>,
): Promise<Answer<OperationReply<AdminListUserOrganizations>>> => {
  const page = readPage({ by: "createdAt", direction: query.sortDirection ?? "asc" }, query);
  const [rows, total] = await Promise.all([
    listJoined(db, { userId, page: { ...page, limit: page.limit + 1 } }),
    countJoined(db, userId, countMax),
  ]);
  const { shown, nextCursor } = takePage(page, rows, ({ joinedAt }) => joinedAt);
  return {
    reply: {
      organizations: shown.map(show),
      total,
      ...(total === countMax && { totalIsEstimate: true }),
      ...(nextCursor && { nextCursor }),
    },
  };
};
