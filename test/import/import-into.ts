import { importDatabase } from "../../apps/cli/src/better-auth/import-database.ts";
import { createImportReport } from "../../apps/cli/src/better-auth/import-report.ts";
import type { System } from "../harness/start-system.ts";

export interface ImportOptions {
  isDryRun?: boolean;
  report?: string;
  names?: Parameters<typeof importDatabase>[1]["names"];
}

/** Imports a database as the command does. Returns the counts and the output. */
export const importInto = async (
  { settings }: Pick<System, "settings">,
  url: string,
  { isDryRun = false, report: path, names = {} }: ImportOptions = {},
) => {
  const report = await createImportReport(path);
  await importDatabase(settings, {
    url,
    schema: "public",
    names,
    source: "better-auth",
    timeZone: "UTC",
    isDryRun,
    report,
    onProgress: () => {},
  });
  await report.end();
  return { counts: report.counts(), output: report.describe() };
};
