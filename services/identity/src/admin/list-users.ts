import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { hasSecondFactor } from "../db/has-second-factor.ts";
import { type Column, type Columns, userColumnsWith } from "../users/search/columns.ts";
import { userListOf } from "./user-list/queries.ts";
import { readListQuery } from "./user-list/read-list-query.ts";

type AdminListUsers = typeof operations.identity.adminListUsers;

/** Lets admins find the users whose account one factor opens. */
const secondFactorColumn: Column = {
  name: "hasSecondFactor",
  type: "boolean",
  isField: false,
  computed: hasSecondFactor,
};

/** Columns that replies do not show cannot be used in conditions, either. An additional field of the same name takes precedence. */
const shownColumns = ({ config }: Pick<Deps, "config">): Columns => {
  const fields = Object.entries(config.additionalFields.user);
  const shown = userColumnsWith(Object.fromEntries(fields.filter(([, { returned }]) => returned)));
  return new Map([[secondFactorColumn.name, secondFactorColumn], ...shown]);
};

/** Returns a page of users for admins. An unknown column results in an empty list, as clients of this protocol expect. */
export const listUsers = async (
  deps: Pick<Deps, "config" | "db" | "showUser">,
  { query }: Call<AdminListUsers>,
): Promise<Answer<OperationReply<AdminListUsers>>> => {
  const columns = shownColumns(deps);
  const asked = readListQuery(columns, query);
  if (!asked) return { reply: { users: [], total: 0 } };
  const { given, ...list } = asked;
  const limit = given.limit ?? deps.config.database.defaultFindManyLimit;
  const { rows, ...page } = await readList(deps.db, userListOf(columns), {
    ...list,
    limit,
    offset: given.offset,
  });
  return { reply: { users: rows.map(deps.showUser), ...given, ...page } };
};
