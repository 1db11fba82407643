import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { userColumnsWith } from "../rows/columns.ts";
import { listPage } from "../user-list/list-page.ts";
import { writePlace } from "../user-list/list-place.ts";
import { readListQuery } from "../user-list/read-list-query.ts";

type AdminListUsers = typeof operations.identity.adminListUsers;

/** Columns that replies do not show cannot be used in conditions, either. */
const shownColumns = ({ config }: Pick<Deps, "config">) => {
  const fields = Object.entries(config.additionalFields.user);
  return userColumnsWith(Object.fromEntries(fields.filter(([, { returned }]) => returned)));
};

/** Returns a page of users for admins. An unknown column results in an empty list, as clients of this protocol expect. */
export const listUsers = async (
  deps: Pick<Deps, "config" | "db" | "ring" | "showUser">,
  { query }: Call<AdminListUsers>,
): Promise<Answer<OperationReply<AdminListUsers>>> => {
  const { ring, config } = deps;
  const defaultLimit = config.database.defaultFindManyLimit;
  const asked = readListQuery({ columns: shownColumns(deps), ring, defaultLimit }, query);
  if (!asked) return { reply: { users: [], total: 0 } };
  const { users, total, totalIsEstimate, next } = await listPage(deps, asked.range);
  return {
    reply: {
      users: users.map(deps.showUser),
      total,
      ...(totalIsEstimate && { totalIsEstimate }),
      ...asked.given,
      ...(next && { nextCursor: writePlace(ring, asked.range.order, next) }),
    },
  };
};
