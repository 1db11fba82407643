import type { Options } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { type Kysely, sql } from "kysely";

/** Makes the id of a row that is to be written. */
export type RowIds<Model extends string> = (model: Model) => Promise<string>;

/** Whose ids they are. Each model has a sequence `<model>_number` in the schema. */
export interface RowIdsOptions {
  db: Kysely<never>;
  schema: string;
}

const idLength = 32;
const blockSize = 20;

/** The next numbers of a model's sequence, as text; nobody else gets any of them. */
const takeNumbers = async ({ db, schema }: RowIdsOptions, model: string): Promise<string[]> => {
  const sequence = `${schema}.${model}_number`;
  const { rows } = await sql<{ number: string }>`
    select nextval(${sequence}::regclass)::text as number
    from generate_series(1, ${blockSize}::integer)`.execute(db);
  return rows.map(({ number }) => number);
};

/** Ids that count up, fetched a block at a time; what a process does not use before it ends is left out. */
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

/** Numbers of a sequence or what the application's function gives, where the options say so; else random text. */
export const createRowIds = <Model extends string, Tables>(
  { generateId, useNumberId }: Pick<Options["advanced"]["database"], "generateId" | "useNumberId">,
  { db, schema }: { db: Kysely<Tables>; schema: string },
): RowIds<Model> => {
  if (useNumberId) return createNumberIds({ db: db as unknown as Kysely<never>, schema });
  return async (model) =>
    (generateId ? generateId({ model, size: idLength }) : undefined) ??
    randomToken(idLength, "alphanumeric");
};
