import type { KeyObject } from "node:crypto";
import { type AuditedService, auditedServices } from "@latchkey/contracts";
import { createSecretRing, type SecretRing } from "@latchkey/crypto";
import { checkpointKeys, readCheckpointKey } from "@latchkey/service-kit/audit";
import { type Settings, settingsOf } from "@latchkey/service-kit/config";
import { openDatabase } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { UsageError } from "./usage-error.ts";

/** The option that selects logs. */
export const logOptions = {
  schema: { type: "string", multiple: true, default: [] as string[] },
} as const;

/** The option that gives keys. */
export const keyOptions = {
  key: { type: "string", multiple: true, default: [] as string[] },
} as const;

const isAudited = (name: string): name is AuditedService =>
  (auditedServices as readonly string[]).includes(name);

/** Returns the named logs, or all if none is named. Throws `UsageError`. */
export const chooseLogs = (names: readonly string[]): readonly AuditedService[] => {
  if (!names.every(isAudited))
    throw new UsageError(`--schema is one of ${auditedServices.join(", ")}`);
  return names.length === 0
    ? auditedServices
    : auditedServices.filter((name) => names.includes(name));
};

/** Throws `UsageError` for an invalid key. */
export const readKey = (text: string): KeyObject => {
  const key = readCheckpointKey(text);
  if (!key) throw new UsageError("--key must be a key that `npx latchkey audit key` prints");
  return key;
};

/** Returns the secrets that sign for an installation. */
export const ringOf = ({ options: { secret } }: Settings): SecretRing => createSecretRing(secret);

/** Returns the keys that verify its signatures. */
export const keysOf = (settings: Settings): KeyObject[] => checkpointKeys(ringOf(settings));

/** Calls `work` with each log as its service, over a separate connection without a timeout, because a log may be long. */
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
