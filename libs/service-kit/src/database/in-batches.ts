import { type Expression, type Kysely, type SelectType, sql } from "kysely";

/** Repeats a deletion of at most `size` rows until it deletes fewer, so that no lock is held for long. Returns the total. */
export const inBatches = async (
  size: number,
  deleteBatch: (limit: number) => Promise<number>,
): Promise<number> => {
  let total = 0;
  for (;;) {
    const count = await deleteBatch(size);
    total += count;
    if (count < size) return total;
  }
};

/** The rows of a table that are due. */
interface DueRows<Row, Column extends keyof Row> {
  /** The columns of the primary key. */
  key: readonly (keyof Row & string)[];
  /** The column to compare, which leads an index. */
  column: Column;
  before: SelectType<Row[Column]> | Expression<SelectType<Row[Column]>>;
  limit: number;
}

/** Deletes up to `limit` rows whose `column` is less than `before`, in its order. Skips locked rows. Returns the number. */
export const deleteRowsBefore = async <
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
>(
  db: Kysely<Tables>,
  table: Table,
  { key, column, before, limit }: DueRows<Tables[Table], Column>,
): Promise<number> => {
  // The types of Kysely resolve no table that is a type parameter.
  const from: string = table;
  const untyped = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const due = untyped
    .selectFrom(from)
    .select(key)
    .where(sql<boolean>`${sql.ref(column)} < ${before}`)
    .orderBy(column)
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const { numDeletedRows } = await untyped
    .deleteFrom(from)
    .where(sql<boolean>`(${sql.join(key.map((name) => sql.ref(name)))}) in ${due}`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
