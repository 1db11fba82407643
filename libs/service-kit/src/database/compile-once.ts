import { type CompiledQuery, type Kysely, type KyselyPlugin, type RawBuilder, sql } from "kysely";
import { picker } from "./columns.ts";

class Slot {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** The places of a query's values, by their names. */
export type Slots<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

/** A query that is compiled once and run with the values of each call, also in transactions. */
export interface CompiledOnce<Tables, Values, Row> {
  /** Returns all rows. */
  rows: (db: Kysely<Tables>, values: Values) => Promise<Row[]>;
  /** Returns the first row, or undefined if there is none. */
  first: (db: Kysely<Tables>, values: Values) => Promise<Row | undefined>;
}

/** Returns some of the places by their names, for statements that list their columns. */
export const pickSlots = <Values, Name extends keyof Values & string>(
  slots: Slots<Values>,
  names: readonly Name[],
): Slots<Pick<Values, Name>> =>
  Object.fromEntries(names.map((name) => [name, slots[name]])) as Slots<Pick<Values, Name>>;

/** Creates the place of a value when a query names it. */
const slots = new Proxy(
  {},
  { get: (_, name): RawBuilder<unknown> => sql`${new Slot(name)}` },
) as Slots<never>;

interface Compiled<Row> {
  query: CompiledQuery<Row>;
  /** Renames the columns of a row. Undefined until the first row shows them. */
  rename?: (row: object) => Row;
}

/** Compiles the renaming that the plugins of a database apply to each row. It is several times as fast as theirs. */
const compileRenaming = async <Row extends object>(
  plugins: readonly KyselyPlugin[],
  { queryId }: CompiledQuery<Row>,
  row: Row,
): Promise<(row: object) => Row> => {
  let result = { rows: [row] as Record<string, unknown>[] };
  for (const plugin of plugins) result = await plugin.transformResult({ queryId, result });
  const names = Object.keys(result.rows[0] ?? {});
  const columns = new Map(names.map((name, index) => [name, Object.keys(row)[index] ?? name]));
  return picker<Row>(names as never, (name) => columns.get(name) ?? name); // the names of its members
};

/**
 * Declares a query for hot paths. It is built and compiled at its first use of a database. `build` must take each value that differs
 * between calls from its slots, never from its closure.
 */
export const compileOnce = <Tables, Values, Row extends object>(
  build: (
    db: Kysely<Tables>,
    slots: Slots<Values>,
  ) => { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): CompiledOnce<Tables, Values, Row> => {
  /** By the adapter, which a database shares with its transactions. */
  const compiled = new WeakMap<object, Compiled<Row>>();
  const compiledFor = (db: Kysely<Tables>): Compiled<Row> => {
    const { adapter } = db.getExecutor();
    const existingQuery = compiled.get(adapter);
    if (existingQuery) return existingQuery;
    const one = { query: build(db, slots).compile(db) };
    compiled.set(adapter, one);
    return one;
  };
  const rows = async (db: Kysely<Tables>, values: Values): Promise<Row[]> => {
    const one = compiledFor(db);
    const { query } = one;
    const parameters = query.parameters.map((value) =>
      value instanceof Slot ? values[value.name as keyof Values] : value,
    );
    const executor = db.getExecutor();
    const result = await executor.withoutPlugins().executeQuery<Row>({ ...query, parameters });
    const [first] = result.rows;
    if (!first) return [];
    one.rename ??= await compileRenaming(executor.plugins, query, first);
    return result.rows.map(one.rename);
  };
  return { rows, first: async (db, values) => (await rows(db, values))[0] };
};
