import type { RowHooks } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { IdModel } from "../ids/new-id.ts";

type Before<Row> = Pick<RowHooks<Row>, "before">;

/** The row that the application's `before` hook lets through, with its overrides; undefined when it vetoes. */
export const applyBeforeHook = async <Row>(
  hooks: Before<Row>,
  row: Row,
): Promise<Row | undefined> => {
  if (!hooks.before) return row;
  const result = await hooks.before(row);
  if (result === false) return undefined;
  return result ? { ...row, ...result.data } : row;
};

/** The same of a row that is to be created. An id of the hook's own is ignored with a warning: ids are made here. */
export const applyCreateHook = async <Row extends { id: string }>(
  { logger }: Pick<Deps, "logger">,
  hooks: Before<Row>,
  { model, row }: { model: IdModel; row: Row },
): Promise<Row | undefined> => {
  const allowed = await applyBeforeHook(hooks, row);
  if (allowed && allowed.id !== row.id)
    logger.warn({ model }, "an id that a hook gave is ignored: ids are made here");
  return allowed && { ...allowed, id: row.id };
};
