import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { IdModel, NewId } from "./new-id.ts";
import { takeNumbers } from "./queries.ts";

const blockSize = 20;

/** Ids that count up, fetched a block at a time; what a process does not use before it ends is left out. */
export const createNumberIds = (db: Kysely<Tables>): NewId => {
  const blocks = new Map<IdModel, string[]>();
  const fetching = new Map<IdModel, Promise<void>>();
  const refill = async (model: IdModel) => {
    try {
      blocks.set(model, await takeNumbers(db, model, blockSize));
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
