import type { TakePersonItem } from "@latchkey/contracts";
import {
  noteTakeOver,
  type Settings,
  settingsOf,
  type TakenCounts,
  withDatabase,
} from "@latchkey/service-kit";
import { closeDeps } from "./close-deps.ts";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import { createDeps, type Deps } from "./deps.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";
import { takeApiKeys } from "./take-over/take-api-keys.ts";

// What operators do from the command line, beside the running service or without it.

/** Keys of a person, and how these were used. */
export const exportPerson = (
  settings: Settings,
  person: { id: string },
  take: TakePersonItem,
): Promise<void> =>
  withDatabase<Tables, void>(settings, schema, (db) => exportPersonWith({ db }, person, take));

export type { GivenApiKey } from "./take-over/given.ts";

const actor = { kind: "service", id: "npx latchkey" } as const;

const createTakers = (deps: Deps) => ({
  take: { apikey: (batch: Parameters<typeof takeApiKeys>[1]) => takeApiKeys(deps, batch) },
  /** Has the audit tell of the run. */
  note: (run: { source: string; counts: TakenCounts }) => noteTakeOver(deps, { ...run, actor }),
});

/** What takes rows of another database over, as long as `work` goes on. */
export const withTakeOver = async <T>(
  settings: Settings,
  work: (takers: ReturnType<typeof createTakers>) => Promise<T>,
): Promise<T> => {
  const deps = createDeps(settingsOf(settings, "apikey"));
  try {
    return await work(createTakers(deps));
  } finally {
    await closeDeps(deps);
  }
};
