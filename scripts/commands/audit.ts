import type { KeyObject } from "node:crypto";
import { createSecretRing } from "@latchkey/crypto";
import {
  type ChainVerdict,
  checkpointKeys,
  createLogger,
  exportAudit,
  ExportUnreadableError,
  openDatabase,
  readCheckpointKey,
  type Settings,
  verifyAudit,
  verifyExport,
  writeCheckpointKey,
} from "@latchkey/service-kit";
import type { Command } from "./command.ts";
import { readLines } from "./read-lines.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation, withSchemas } from "./with-installation.ts";
import { createLineWriter } from "./write-lines.ts";

/** The services that keep an audit log, each in the schema of its name. */
const schemas = ["identity", "organization", "apikey", "mailer"] as const;
type Schema = (typeof schemas)[number];

const options = {
  schema: { type: "string", multiple: true, default: [] as string[] },
} as const;
const verifyOptions = {
  ...options,
  file: { type: "string" },
  key: { type: "string", multiple: true, default: [] as string[] },
} as const;

const isSchema = (name: string): name is Schema => (schemas as readonly string[]).includes(name);

/** All of them where none is named. */
const chooseSchemas = (names: readonly string[]): readonly Schema[] => {
  if (!names.every(isSchema)) throw new UsageError(`--schema is one of ${schemas.join(", ")}`);
  return names.length === 0 ? schemas : schemas.filter((name) => names.includes(name));
};

const readKey = (text: string): KeyObject => {
  const key = readCheckpointKey(text);
  if (!key) throw new UsageError("--key must be what `npx latchkey audit key` prints");
  return key;
};

/** Does `work` with each schema, over a connection of its own and without a deadline: a log may be long. */
const withEach = async (
  settings: Settings,
  names: readonly Schema[],
  work: (chain: { db: ReturnType<typeof openDatabase<never>>; schema: Schema }) => Promise<unknown>,
): Promise<void> => {
  for (const schema of names) {
    const logger = createLogger({ service: schema, ...settings.options.logger });
    const db = openDatabase<never>(settings, { schema, logger, forMigration: true });
    try {
      await work({ db, schema });
    } finally {
      await db.destroy();
    }
  }
};

const describeVerdict = ({
  schema,
  entries,
  checkpoints,
  hash,
  signedPosition,
  broken,
}: ChainVerdict) => {
  if (broken) {
    const row = broken.auditId === undefined ? "" : `, audit row ${broken.auditId}`;
    return `${schema}: BROKEN (${broken.kind}) at position ${broken.position}${row}: ${broken.reason}. The ${entries} entries before it are as they were sealed.\n`;
  }
  if (entries === 0) return `${schema}: no entries.\n`;
  return `${schema}: whole. ${entries} entries, ${checkpoints} checkpoints, signed up to position ${signedPosition}. Hash ${hash.toString("hex")}.\n`;
};

/** Gives the exit code. */
const tell = (verdicts: readonly ChainVerdict[]): number => {
  for (const verdict of verdicts) process.stdout.write(describeVerdict(verdict));
  return verdicts.some(({ broken }) => broken) ? 1 : 0;
};

const keysOf = ({ options: { secret } }: Settings): KeyObject[] =>
  checkpointKeys(createSecretRing(secret));

const verifyDatabase = (names: readonly Schema[]): Promise<ChainVerdict[]> =>
  withSchemas(names, async ({ settings }) => {
    const verdicts: ChainVerdict[] = [];
    await withEach(settings, names, async (chain) => {
      verdicts.push(await verifyAudit({ ...chain, keys: keysOf(settings), clock: Date.now }));
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
  const { schema, file, key } = readOptions(args, verifyOptions);
  if (file === undefined) {
    if (key.length > 0) throw new UsageError("--key goes with --file");
    return tell(await verifyDatabase(chooseSchemas(schema)));
  }
  if (schema.length > 0) throw new UsageError("--schema goes without --file");
  const given = key.map(readKey);
  if (given.length > 0) return tell(await verifyFile(file, given));
  return tell(await withInstallation(({ settings }) => verifyFile(file, keysOf(settings))));
};

const write = async (args: string[]): Promise<number> => {
  const names = chooseSchemas(readOptions(args, options).schema);
  await withSchemas(names, async ({ settings }) => {
    const ring = createSecretRing(settings.options.secret);
    const lines = createLineWriter(process.stdout);
    await withEach(settings, names, (chain) =>
      exportAudit({ ...chain, ring, clock: Date.now }, lines.write),
    );
    await lines.end();
  });
  return 0;
};

const showKeys = async (args: string[]): Promise<number> => {
  readOptions(args, {});
  const keys = await withInstallation(async ({ settings }) => keysOf(settings));
  for (const key of keys) process.stdout.write(`${writeCheckpointKey(key)}\n`);
  return 0;
};

const actions: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  verify,
  export: write,
  key: showKeys,
};

/** Proves that the audit logs are as they were written, and exports them. */
export const auditCommand: Command = {
  usage: `Usage: npx latchkey audit verify [--schema <name>]
       npx latchkey audit verify --file <export> [--key <key>]
       npx latchkey audit export [--schema <name>] > <export>
       npx latchkey audit key

verify  follows the chain of each audit log from its beginning, and names the first place where it is broken and how
export  writes entries, seals and checkpoints as JSON lines, signed as they are now
key     prints what verifies the signatures, for each secret that is configured, the newest first

  --schema <name>  identity, organization, apikey or mailer; may be given several times. All without it
  --file <export>  follows an export in place of the database
  --key <key>      verifies it by a key that \`audit key\` printed, in place of the configured secret; may be given several times

Ends with 0 when everything is whole, and with 1 when anything is broken.
`,
  run: async ([name = "", ...args]) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("needs to be told what: verify, export or key");
    return action(args);
  },
};
