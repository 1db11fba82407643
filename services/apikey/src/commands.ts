import type { Settings } from "@latchkey/service-kit/config";
import { personExport } from "@latchkey/service-kit/database";
import { recordImport, type ImportCounts } from "@latchkey/service-kit/import";
import { schema } from "./db/tables.ts";
import type { Deps } from "./deps.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";
import { apikey } from "./service.ts";
import { importApiKeys } from "./import/import-api-keys.ts";

// Functions for the command line. They run beside the running service or without it.

/** Exports a person's keys and their usage. */
export const exportPerson = personExport(schema, exportPersonWith);

export { importedColumns } from "./import/read-api-key.ts";

const actor = { kind: "service", id: "npx latchkey" } as const;

const createImport = (deps: Deps) => ({
  importRows: {
    apikey: (batch: Parameters<typeof importApiKeys>[1]) => importApiKeys(deps, batch),
  },
  /** Records the import run in the audit. */
  note: (run: { source: string; counts: ImportCounts }) => recordImport(deps, { ...run, actor }),
});

/** Passes the functions that import rows of another database to `work`, and closes their connections when it ends. */
export const withImport = <T>(
  settings: Settings,
  work: (opened: ReturnType<typeof createImport>) => Promise<T>,
): Promise<T> => apikey.withDeps(settings, (deps) => work(createImport(deps)));
