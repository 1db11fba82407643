import type { KeyObject } from "node:crypto";
import { type AuditedService, auditedServices } from "@latchkey/contracts";
import { createSecretRing, type SecretRing } from "@latchkey/crypto";
import {
  checkpointKeys,
  createLogger,
  openDatabase,
  readCheckpointKey,
  type Settings,
  settingsOf,
} from "@latchkey/service-kit";
import { UsageError } from "./usage-error.ts";

/** Which logs a command is about. */
export const logOptions = {
  schema: { type: "string", multiple: true, default: [] as string[] },
} as const;

/** Keys that a command is given. */
export const keyOptions = {
  key: { type: "string", multiple: true, default: [] as string[] },
} as const;

const isAudited = (name: string): name is AuditedService =>
  (auditedServices as readonly string[]).includes(name);

/** All of them where none is named. */
export const chooseLogs = (names: readonly string[]): readonly AuditedService[] => {
  if (!names.every(isAudited))
    throw new UsageError(`--schema is one of ${auditedServices.join(", ")}`);
  return names.length === 0
    ? auditedServices
    : auditedServices.filter((name) => names.includes(name));
};

/** Throws `UsageError` for what is no key. */
export const readKey = (text: string): KeyObject => {
  const key = readCheckpointKey(text);
  if (!key) throw new UsageError("--key must be what `npx latchkey audit key` prints");
  return key;
};

/** What signs for an installation. */
export const ringOf = ({ options: { secret } }: Settings): SecretRing => createSecretRing(secret);

/** What verifies what it signs. */
export const keysOf = (settings: Settings): KeyObject[] => checkpointKeys(ringOf(settings));

/** Does `work` with each log as its service, over a connection of its own and without a deadline: a log may be long. */
export const withEachLog = async (
  settings: Settings,
  names: readonly AuditedService[],
  work: (log: {
    db: ReturnType<typeof openDatabase<never>>;
    schema: AuditedService;
  }) => Promise<unknown>,
): Promise<void> => {
  for (const schema of names) {
    const logger = createLogger({ service: schema, ...settings.options.logger });
    const db = openDatabase<never>(settingsOf(settings, schema), {
      schema,
      logger,
      forMigration: true,
    });
    try {
      await work({ db, schema });
    } finally {
      await db.destroy();
    }
  }
};
