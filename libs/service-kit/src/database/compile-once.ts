import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

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

/**
 * Declares a query for hot paths. It is built and compiled at its first use of a database. `build` must take each value that differs
 * between calls from its slots, never from its closure.
 */
export const compileOnce = <Tables, Values, Row>(
  build: (
    db: Kysely<Tables>,
    slots: Slots<Values>,
  ) => { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): CompiledOnce<Tables, Values, Row> => {
  /** By the adapter, which a database shares with its transactions. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  const compiledFor = (db: Kysely<Tables>): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor();
    const known = compiled.get(adapter);
    if (known) return known;
    const query = build(db, slots).compile(db);
    compiled.set(adapter, query);
    return query;
  };
  const rows = async (db: Kysely<Tables>, values: Values): Promise<Row[]> => {
    const query = compiledFor(db);
    const parameters = query.parameters.map((value) =>
      value instanceof Slot ? values[value.name as keyof Values] : value,
    );
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
  return { rows, first: async (db, values) => (await rows(db, values))[0] };
};
