import type { PersonExport, TakePersonItem } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Settings } from "@latchkey/service-kit/config";
import { type ImportCounts, recordImport, sampleImported } from "@latchkey/service-kit/import";
import {
  createAdmin as createAdminWith,
  type NewAdmin,
  openFirstRun as openFirstRunWith,
  promoteUser as promoteUserWith,
} from "./admin/first-run.ts";
import { resetTwoFactorOf } from "./admin/credentials.ts";
import {
  isWithoutSecondFactor,
  listAdminsWithoutSecondFactor,
  operatorActor,
} from "./admin/operator.ts";

import type { Deps } from "./deps.ts";
import { exportPerson as exportPersonWith, findPerson, toPerson } from "./export/export-person.ts";
import { identity } from "./service.ts";
import {
  type ExaminedKey,
  examineSigningKeys as examineSigningKeysWith,
  rotateSigningKeys as rotateSigningKeysWith,
  type Rotation,
} from "./jwt/signing-key-operations.ts";

import { checkSecret as checkSecretWith, type SecretVerdict } from "./import/read-values.ts";
import { importAccounts } from "./import/import-accounts.ts";
import { importPasskeys } from "./import/import-passkeys.ts";
import { importSessions } from "./import/import-sessions.ts";
import { importSigningKeys } from "./import/import-signing-keys.ts";
import { importTwoFactors } from "./import/import-two-factors.ts";
import { importUsers } from "./import/import-users.ts";
import { importVerifications } from "./import/import-verifications.ts";
import type { UserRow } from "./users/user-row.ts";
import { resealRedisSessions } from "./sessions/reseal-redis-sessions.ts";

// The operations of the command line, which run with or without a running service.

export { operatorActor };

/** Creates an admin with a password. The address counts as verified. */
export const createAdmin = (settings: Settings, admin: NewAdmin): Promise<UserRow> =>
  identity.withDeps(settings, (deps) => createAdminWith(deps, admin));

/** Makes the user with this address an admin. */
export const promoteUser = (settings: Settings, user: { email: string }): Promise<UserRow> =>
  identity.withDeps(settings, (deps) => promoteUserWith(deps, user));

/** Removes the second factor of the user with this address, and ends all their sessions. */
export const resetTwoFactor = (settings: Settings, user: { email: string }): Promise<UserRow> =>
  identity.withDeps(settings, (deps) => resetTwoFactorOf(deps, user));

/** Returns up to ten addresses of admins without a second factor whom the options do not require to have one. */
export const adminsWithoutSecondFactor = (settings: Settings): Promise<string[]> =>
  identity.withDeps(settings, listAdminsWithoutSecondFactor);

/** Returns whether one factor opens the account of this admin, and the options do not require a second one. */
export const isAdminWithoutSecondFactor = (
  settings: Settings,
  admin: Pick<UserRow, "id" | "role">,
): Promise<boolean> => identity.withDeps(settings, (deps) => isWithoutSecondFactor(deps, admin));

/** Seals the tokens of sessions in Redis again. Returns the number. */
export const resealSessionsInRedis = (settings: Settings): Promise<number> =>
  identity.withDeps(settings, (deps) => resealRedisSessions(deps, new AbortController().signal));

/** Creates a token for the first admin if there is none, and replaces the previous token. */
export const openFirstRun = (settings: Settings): Promise<string | undefined> =>
  identity.withDeps(settings, openFirstRunWith);

/** Creates a new signing key. */
export const rotateSigningKeys = (settings: Settings): Promise<Rotation> =>
  identity.withDeps(settings, rotateSigningKeysWith);

/** Returns the published signing keys, and whether they can be used. */
export const examineSigningKeys = (settings: Settings): Promise<ExaminedKey[]> =>
  identity.withDeps(settings, examineSigningKeysWith);

/** The requested person and the callbacks that receive the data: first the person, then the rest. */
interface PersonRequest {
  idOrEmail: string;
  begin: (person: PersonExport["user"]) => Promise<void>;
  take: TakePersonItem;
}

/**
 * Exports a person by id or address, with accounts and sessions. Returns undefined if there is none. Records the export
 * in the audit first.
 */
export const exportPerson = (
  settings: Settings,
  { idOrEmail, begin, take }: PersonRequest,
): Promise<PersonExport["user"] | undefined> =>
  identity.withDeps(settings, async (deps) => {
    const user = await findPerson(deps, idOrEmail);
    if (!user) return undefined;
    const person = toPerson(user);
    await begin(person);
    await exportPersonWith(deps, user, take);
    return person;
  });

/** Records in the audit that all data is about to be exported. */
export const recordExport = (settings: Settings): Promise<void> =>
  identity.withDeps(settings, (deps) =>
    appendAudit(deps.db, deps, {
      actor: operatorActor,
      subject: { kind: "installation", id: "latchkey" },
      action: "installation.exported",
    }),
  );
export { importedColumns } from "./import/imported-rows.ts";

/** Opens the import of rows of another database while `work` runs. */
export const withImport = <T>(
  settings: Settings,
  work: (opened: ReturnType<typeof createImport>) => Promise<T>,
): Promise<T> => identity.withDeps(settings, (deps) => work(createImport(deps)));

const createImport = (deps: Deps) => ({
  checkSecret: (values: readonly string[]): SecretVerdict => checkSecretWith(deps, values),
  /** Returns some users that were imported before. */
  sampleUsers: (source: string, limit: number) =>
    sampleImported(deps.db, { source, model: "user" }, limit),
  importRows: {
    user: (batch: Parameters<typeof importUsers>[1]) => importUsers(deps, batch),
    account: (batch: Parameters<typeof importAccounts>[1]) => importAccounts(deps, batch),
    session: (batch: Parameters<typeof importSessions>[1]) => importSessions(deps, batch),
    verification: (batch: Parameters<typeof importVerifications>[1]) =>
      importVerifications(deps, batch),
    twoFactor: (batch: Parameters<typeof importTwoFactors>[1]) => importTwoFactors(deps, batch),
    passkey: (batch: Parameters<typeof importPasskeys>[1]) => importPasskeys(deps, batch),
    jwks: (batch: Parameters<typeof importSigningKeys>[1]) => importSigningKeys(deps, batch),
  },
  /** Records the run in the audit. */
  note: (run: { source: string; counts: ImportCounts }) =>
    recordImport(deps, { ...run, actor: operatorActor }),
});
