import type { Options } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { type Kysely, sql } from "kysely";

/** Creates the id of a new row. */
export type RowIds<Model extends string> = (model: Model) => Promise<string>;

/** Owner of the ids. Each model has a sequence `<model>_number` in the schema. */
export interface RowIdsOptions {
  db: Kysely<any>;
  schema: string;
}

const idLength = 32;
const blockSize = 20;

/** Reserves the next numbers of a model's sequence, as text. */
const takeNumbers = async ({ db, schema }: RowIdsOptions, model: string): Promise<string[]> => {
  const sequence = `${schema}.${model}_number`;
  const { rows } = await sql<{ number: string }>`
    select nextval(${sequence}::regclass)::text as number
    from generate_series(1, ${blockSize}::integer)`.execute(db);
  return rows.map(({ number }) => number);
};

/** Creates increasing ids, fetched in blocks. Unused ids of a block are lost when the process ends. */
const createNumberIds = (options: RowIdsOptions): RowIds<string> => {
  const blocks = new Map<string, string[]>();
  const fetching = new Map<string, Promise<void>>();
  const refill = async (model: string) => {
    try {
      blocks.set(model, await takeNumbers(options, model));
    } finally {
      fetching.delete(model);
    }
  };
  return async (model) => {
    for (;;) {
      const next = blocks.get(model)?.shift();
      if (next !== undefined) return next;
      const already = fetching.get(model) ?? refill(model);
      fetching.set(model, already);
      await already;
    }
  };
};

/** Creates ids as configured: from a sequence, by the application's function, or else as random text. */
export const createRowIds = <Model extends string>(
  { generateId, useNumberId }: Pick<Options["advanced"]["database"], "generateId" | "useNumberId">,
  options: RowIdsOptions,
): RowIds<Model> => {
  if (useNumberId) return createNumberIds(options);
  return async (model) =>
    (generateId ? generateId({ model, size: idLength }) : undefined) ??
    randomToken(idLength, "alphanumeric");
};
