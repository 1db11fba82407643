import { auditedServices } from "@latchkey/contracts";
import { recordExport } from "@latchkey/identity/commands";
import { exportInstallation } from "@latchkey/service-kit";
import { carriedSchemas } from "../installation/services.ts";
import { ringOf } from "./audit-logs.ts";
import { withOutput } from "./open-output.ts";
import { readOptions } from "./read-options.ts";
import { withSchemas } from "./with-installation.ts";

/** Writes the whole installation as JSON lines. Returns the exit code. */
export const exportAll = async (args: string[]): Promise<number> => {
  const { out } = readOptions(args, { out: { type: "string" } });
  await withSchemas(auditedServices, ({ settings }) =>
    withOutput(out, async (write) => {
      await recordExport(settings);
      const ring = ringOf(settings);
      const schemas = carriedSchemas(settings, "service");
      const { rows, sha256 } = await exportInstallation({ schemas, ring, at: new Date() }, write);
      const count = Object.values(rows).reduce((sum, of) => sum + of, 0);
      process.stderr.write(
        `Exported ${count} rows of ${Object.keys(rows).length} tables. SHA-256 ${sha256}\n`,
      );
    }),
  );
  return 0;
};
