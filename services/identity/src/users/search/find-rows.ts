import type { Kysely } from "kysely";
import { namesOf, planAnew, type RowOf } from "@latchkey/service-kit/database";
import { WireError } from "@latchkey/contracts";
import { conditionSql } from "./queries.ts";
import { shownAccountColumns, type Tables } from "../../db/tables.ts";
import { userSelection, type UserRow } from "../user-row.ts";
import { type Condition, readCondition } from "./read-condition.ts";
import type { Handler, CallOf } from "../../deps.ts";
import { accountSearchColumns, type Columns, userColumnsWith } from "./columns.ts";

interface Search {
  conditions: readonly Condition[];
  limit: number;
}

/** Returns the users who match every condition, oldest first. */
const listUsersWhere = (db: Kysely<Tables>, { conditions, limit }: Search): Promise<UserRow[]> =>
  planAnew<UserRow>(
    db,
    db
      .selectFrom("user")
      .select(userSelection)
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );

/** Returns the accounts that match every condition, oldest first, without their secrets. */
const listAccountsWhere = (
  db: Kysely<Tables>,
  { conditions, limit }: Search,
): Promise<RowOf<typeof shownAccountColumns>[]> =>
  planAnew(
    db,
    db
      .selectFrom("account")
      .select(namesOf(shownAccountColumns))
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );

type Asked = CallOf<"findRows">["body"]["where"][number];

/** Reads the conditions in their order. */
const readWhere = (columns: Columns, where: readonly Asked[]): Condition[] =>
  where.map(({ field, operator, value }, index) => {
    const column = columns.get(field);
    if (!column)
      throw new WireError("FIELD_DOES_NOT_EXIST", { message: `Field ${field} does not exist` });
    if (operator === "in" && !Array.isArray(value)) throw new WireError("VALUE_MUST_BE_AN_ARRAY");
    const refuse = (message: string): never => {
      const issues = [{ path: `where.${index}.value`, message }];
      throw new WireError("VALIDATION_ERROR", { issues });
    };
    return readCondition({ column, operator, value, refuse });
  });

/**
 * Returns the users or accounts that match every condition, oldest first, in their public form. Services may use
 * conditions on fields that no reply shows.
 */
export const findRows: Handler<"findRows"> = async (
  deps,
  { body: { model, where, limit: asked } },
) => {
  const { config, db } = deps;
  const limit = asked ?? config.database.defaultFindManyLimit;
  const search = (columns: Columns): Search => ({ conditions: readWhere(columns, where), limit });
  switch (model) {
    case "user": {
      const users = await listUsersWhere(db, search(userColumnsWith(config.additionalFields.user)));
      return { reply: { rows: users.map(deps.showUser) } };
    }
    case "account":
      return { reply: { rows: await listAccountsWhere(db, search(accountSearchColumns)) } };
    default:
      throw new WireError("MODEL_DOES_NOT_EXIST_IN_THE_DATABASE", {
        message: `Model ${model} does not exist in the database`,
      });
  }
};
