import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { picker } from "./columns.ts";
import { compileOnce, type CompiledOnce, type Slots } from "./compile-once.ts";
import { readTogether } from "./look-up-together.ts";
import { plannedList } from "./planned-list.ts";

/** The Postgres types of the values that differ between concurrent calls. The other values are the same for most calls. */
type KeyTypes<Values> = Readonly<Partial<Record<keyof Values & string, "text" | "timestamptz">>>;

type AnyValues = Readonly<Record<string, unknown>>;
type Placed = Record<string, unknown> & { place: number };

type Build<Tables, Values, Row> = (
  db: Kysely<Tables>,
  slots: Slots<Values>,
) => { compile(db: Kysely<Tables>): CompiledQuery<Row> };

/**
 * Compiles the query for each element of some lists. The query sees the elements as columns of `asked`. Postgres runs it in a nested loop,
 * because a query with an order is not flattened, and so keeps the order of its rows.
 */
const compileForEach = <Tables, Values, Row>(
  types: KeyTypes<Values>,
  build: Build<Tables, Values, Row>,
) =>
  compileOnce<Tables, AnyValues, Placed>((db, slots) => {
    const columns = Object.keys(types).map((name) => sql.ref(name));
    const lists = Object.entries<string | undefined>(types).map(
      ([name, type]) => sql`${slots[name]}::${sql.raw(String(type))}[]`,
    );
    const inLoop = new Proxy(
      {},
      { get: (_, name: string) => (name in types ? sql.ref(`asked.${name}`) : slots[name]) },
    ) as Slots<Values>;
    const query = build(db, inLoop) as unknown as RawBuilder<object>;
    return sql<Placed>`
      select asked.place, found.*
      from unnest(${sql.join(lists)}) with ordinality as asked (${sql.join(columns)}, place)
      cross join lateral (${query}) as found`;
  });

/** Groups calls that can share a statement, by their values other than the keys. Returns their positions. */
const groupsOf = (calls: readonly object[], keys: readonly string[]): number[][] => {
  const groups = new Map<string, number[]>();
  for (const [index, values] of calls.entries()) {
    const others = Object.entries(values).filter(([name]) => !keys.includes(name));
    const name = JSON.stringify(others);
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  }
  return [...groups.values()];
};

/**
 * Declares a query for hot paths, as `compileOnce` does, for the same rows in the same order. Calls that start in one turn of the event
 * loop share a statement, as in `readTogether`. Calls in a transaction do not. `types` names the values that differ between calls. A limit
 * or an offset cannot be one of them. A query that returns several rows must have an order.
 */
export const compileTogether = <Tables, Values extends object, Row extends object>(
  types: KeyTypes<Values>,
  build: Build<Tables, Values, Row>,
): CompiledOnce<Tables, Values, Row> => {
  const alone = compileOnce(build);
  const forEach = compileForEach(types, build);
  const keys = Object.keys(types);
  let pickRow: ((placed: Placed) => Row) | undefined;

  const readGroup = async (db: Kysely<Tables>, calls: readonly Values[]): Promise<Row[][]> => {
    const listOf = (name: string): unknown[] => calls.map((values) => values[name as keyof Values]);
    const lists = keys.map((name) => [name, plannedList(listOf(name), null)] as const);
    const placed = await forEach.rows(db, { ...calls[0], ...Object.fromEntries(lists) });
    const rowsByCall = calls.map((): Row[] => []);
    for (const one of placed) {
      pickRow ??= picker<Row>(Object.keys(one).filter((name) => name !== "place") as never);
      rowsByCall[one.place - 1]?.push(pickRow(one));
    }
    return rowsByCall;
  };

  const read = async (db: Kysely<Tables>, calls: readonly Values[]) => {
    const results: (Row[] | Error)[] = [];
    const readIndexes = async (indexes: readonly number[]) => {
      const group = indexes.map((index) => calls[index] as Values); // a position in this list
      const [first] = group;
      const rowsByCall =
        first && group.length === 1 ? [await alone.rows(db, first)] : await readGroup(db, group);
      for (const [place, index] of indexes.entries()) results[index] = rowsByCall[place] ?? [];
    };
    await Promise.all(
      groupsOf(calls, keys).map((indexes) =>
        readIndexes(indexes).catch((error: Error) => {
          for (const index of indexes) results[index] = error;
        }),
      ),
    );
    return results;
  };

  const readers = new WeakMap<Kysely<Tables>, (values: Values) => Promise<Row[]>>();
  const rows = (db: Kysely<Tables>, values: Values): Promise<Row[]> => {
    if (db.isTransaction) return alone.rows(db, values);
    const existingReader = readers.get(db);
    if (existingReader) return existingReader(values);
    const reader = readTogether((calls: readonly Values[]) => read(db, calls));
    readers.set(db, reader);
    return reader(values);
  };
  return { rows, first: async (db, values) => (await rows(db, values))[0] };
};
