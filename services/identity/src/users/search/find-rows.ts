import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { accountSearchColumns, type Columns, userColumnsWith } from "./columns.ts";
import { listAccountsWhere, listUsersWhere, type Search } from "./queries.ts";
import { type Condition, readCondition } from "./read-condition.ts";

type FindRows = typeof operations.identity.findRows;
type Asked = Call<FindRows>["body"]["where"][number];

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
export const findRows = async (
  deps: Pick<Deps, "config" | "db" | "showUser">,
  { body: { model, where, limit: asked } }: Call<FindRows>,
): Promise<Answer<OperationReply<FindRows>>> => {
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
