import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Build<Tables, Params, Row> = (
  db: Kysely<Tables>,
  param: <K extends keyof Params & string>(name: K) => RawBuilder<Params[K]>,
) => Compilable<Row>;

/**
 * Builds and compiles a query once per database, at its first use, for hot paths. `build` must take every value through
 * `param`, never from its closure.
 */
export const compileOnce = <Tables, Params extends object, Row>(
  build: Build<Tables, Params, Row>,
): ((db: Kysely<Tables>, params: Params) => Promise<Row[]>) => {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return async (db, params) => {
    let query = compiled.get(db);
    if (!query) {
      query = build(db, (name) => sql`${new Slot(name)}`).compile();
      compiled.set(db, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Slot ? params[value.name as keyof Params] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
};
