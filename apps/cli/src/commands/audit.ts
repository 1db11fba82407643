import type { KeyObject } from "node:crypto";
import { type AuditedService, auditedServices } from "@latchkey/contracts";
import {
  type ChainVerdict,
  exportAudit,
  ExportUnreadableError,
  verifyAudit,
  verifyExport,
  writeCheckpointKey,
} from "@latchkey/service-kit/audit";
import {
  chooseLogs,
  keyOptions,
  keysOf,
  logOptions,
  readKey,
  ringOf,
  withEachLog,
} from "./audit-logs.ts";
import type { Command } from "./command.ts";
import { describeVerdict } from "./describe-verdict.ts";
import { pruneLogs } from "./prune-logs.ts";
import { readLines } from "../terminal/read-lines.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation, withSchemas } from "./with-installation.ts";
import { createLineWriter } from "../terminal/write-lines.ts";

const verifyOptions = {
  ...logOptions,
  ...keyOptions,
  file: { type: "string" },
  stopped: { type: "boolean", default: false },
} as const;

/** Prints the verdicts and returns the exit code. */
const printVerdicts = (verdicts: readonly ChainVerdict[]): number => {
  for (const verdict of verdicts) process.stdout.write(describeVerdict(verdict));
  return verdicts.some(({ broken }) => broken) ? 1 : 0;
};

const verifyDatabase = (
  names: readonly AuditedService[],
  { extraKeys, isStopped }: { extraKeys: readonly KeyObject[]; isStopped: boolean },
): Promise<ChainVerdict[]> =>
  withSchemas(names, async ({ settings }) => {
    const verdicts: ChainVerdict[] = [];
    const keys = [...keysOf(settings), ...extraKeys];
    await withEachLog(settings, names, async (log) => {
      verdicts.push(await verifyAudit({ ...log, keys, clock: Date.now, isStopped }));
    });
    return verdicts;
  });

const verifyFile = async (file: string, keys: readonly KeyObject[]): Promise<ChainVerdict[]> => {
  try {
    return await verifyExport(readLines(file), keys);
  } catch (error) {
    if (error instanceof ExportUnreadableError)
      throw new Refusal(`${file} is no export of the audit log: ${error.message}.`);
    throw error;
  }
};

const verify = async (args: string[]): Promise<number> => {
  const { schema, file, key, stopped: isStopped } = readOptions(args, verifyOptions);
  const extraKeys = key.map(readKey);
  if (file === undefined)
    return printVerdicts(await verifyDatabase(chooseLogs(schema), { extraKeys, isStopped }));
  if (schema.length > 0) throw new UsageError("--schema goes without --file");
  if (isStopped) throw new UsageError("--stopped goes without --file");
  if (extraKeys.length > 0) return printVerdicts(await verifyFile(file, extraKeys));
  return printVerdicts(
    await withInstallation(({ settings }) => verifyFile(file, keysOf(settings)), []),
  );
};

const write = async (args: string[]): Promise<number> => {
  const schemas = chooseLogs(readOptions(args, logOptions).schema);
  await withSchemas(schemas, async ({ settings }) => {
    const lines = createLineWriter(process.stdout);
    const exportOptions = { ring: ringOf(settings), schemas, at: new Date() };
    await withEachLog(settings, schemas, (log) =>
      exportAudit({ ...log, ...exportOptions }, lines.write),
    );
    await lines.end();
  });
  return 0;
};

const showKeys = async (args: string[]): Promise<number> => {
  readOptions(args, {});
  const keys = await withInstallation(async ({ settings }) => keysOf(settings), []);
  for (const key of keys) process.stdout.write(`${writeCheckpointKey(key)}\n`);
  return 0;
};

const actions: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  verify,
  export: write,
  key: showKeys,
  prune: pruneLogs,
};

/** Verifies, exports and prunes the audit logs. */
export const auditCommand: Command = {
  usage: `Usage: npx latchkey audit verify [--schema <name>] [--key <key>] [--stopped]
       npx latchkey audit verify --file <export> [--key <key>]
       npx latchkey audit export [--schema <name>] > <export>
       npx latchkey audit key
       npx latchkey audit prune --before <day> [--schema <name>] [--key <key>]

verify  verifies the hash chain of each audit log from its beginning, and reports the first broken position and why
export  writes entries, seals and checkpoints as JSON lines, with a signature over their current state
key     prints the keys that verify the signatures, one for each configured secret, the newest first
prune   permanently removes the entries before a day, up to a signed checkpoint, and signs the new beginning of the log

  --schema <name>  ${auditedServices.join(", ")}; may be given several times. Default: all
  --file <export>  verifies an export instead of the database
  --key <key>      a key that \`audit key\` printed, for example of a secret that is no longer configured; may be given several
                   times. Accepted in addition to the configured keys; for an export, the only one, without any configuration
  --stopped        no service runs, as after a restore: entries after the end, which the next start seals, are no break
  --before <day>   the first UTC day to keep, such as 2026-01-31

Exits with 0 if every log is whole, and with 1 if any is broken.
`,
  run: async ([name = "", ...args]) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("needs an action: verify, export, key or prune");
    return action(args);
  },
};
