import type { RowHooks } from "@latchkey/contracts";

/** The row that the application's `before` hook lets through, with its overrides; undefined when it vetoes. */
export const applyBeforeHook = async <Row>(
  hooks: Pick<RowHooks<Row>, "before">,
  row: Row,
): Promise<Row | undefined> => {
  if (!hooks.before) return row;
  const result = await hooks.before(row);
  if (result === false) return undefined;
  return result ? { ...row, ...result.data } : row;
};
