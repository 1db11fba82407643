import type { RowHooks } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

type Before<Row> = Pick<RowHooks<Row>, "before">;

/** Returns the row with the overrides of the application's `before` hook, or undefined if the hook vetoes. */
export const applyBeforeHook = async <Row>(
  hooks: Before<Row>,
  row: Row,
): Promise<Row | undefined> => {
  if (!hooks.before) return row;
  const result = await hooks.before(row);
  if (result === false) return undefined;
  return result ? { ...row, ...result.data } : row;
};

/** The same for a row to be inserted. Ignores an id from the hook with a warning, because ids are generated here. */
export const applyCreateHook = async <Row extends { id: string }>(
  { logger }: Pick<Deps, "logger">,
  hooks: Before<Row>,
  { model, row }: { model: Parameters<Deps["newId"]>[0]; row: Row },
): Promise<Row | undefined> => {
  const allowed = await applyBeforeHook(hooks, row);
  if (allowed && allowed.id !== row.id)
    logger.warn({ model }, "an id that a hook gave is ignored: ids are made here");
  return allowed && { ...allowed, id: row.id };
};
