import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { auditedKey } from "./show-key.ts";
import type { ApiKeyRow } from "../db/key-row.ts";
import { checkKeyChange, type KeyChange } from "./key-rules.ts";
import { isMadeByOwner, lockKey, updateKey } from "./queries.ts";

export type ChangeKeyNeeds = Pick<Deps, "clock" | "config" | "db">;

/** The requested change and its author, who may change the key. The owner of a key never changes. */
export interface AskedChange extends Required<Pick<AuditEntry, "actor" | "caller">> {
  id: string;
  change: KeyChange;
  /** Whether the owner, or a member of it, makes the change, not a service or an admin. */
  isOwn: boolean;
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Returns only the columns that change. */
const readChange = (given: KeyChange, now: number) => {
  const { expiresIn, metadata, permissions, ...members } = given;
  const columns = {
    ...members,
    expiresAt: expiresIn == null ? expiresIn : new Date(now + expiresIn * 1000),
    metadata: metadata === undefined ? undefined : jsonOf(metadata),
    permissions: permissions === undefined ? undefined : jsonOf(permissions),
  };
  const named = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<typeof columns>;
};

/** Returns whether the owner may not change the lifetime of a key. Called only if that matters. */
const isLocked = async (
  trx: Transaction<Tables>,
  key: ApiKeyRow,
  { expiresIn }: KeyChange,
): Promise<boolean> =>
  key.lifetimeLocked ?? (expiresIn !== undefined && !(await isMadeByOwner(trx, key)));

/**
 * Changes only the named columns of a key, so that concurrent uses lose nothing. The audit entry states the values that the change replaced.
 * Throws `KEY_NOT_FOUND`, `KEY_RETIRED` for a key whose successor has its limits, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const changeKey = (
  deps: ChangeKeyNeeds,
  { id, change: given, isOwn, actor, caller }: AskedChange,
): Promise<ApiKeyRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockKey(trx, id);
    if (!row) throw new WireError("KEY_NOT_FOUND");
    if (row.successorId !== null) throw new WireError("KEY_RETIRED");
    const now = deps.clock();
    const own = isOwn ? { ...row, lifetimeLocked: await isLocked(trx, row, given) } : undefined;
    checkKeyChange(deps.config.apiKey, given, { own, now });
    const change = readChange(given, now);
    const members = Object.keys(change) as (keyof typeof change)[];
    if (members.length === 0) throw new WireError("NO_VALUES_TO_UPDATE");
    const changed = await updateKey(trx, id, {
      ...change,
      ...(!isOwn && given.expiresIn !== undefined ? { lifetimeLocked: true } : {}),
      updatedAt: new Date(now),
    });
    if (!changed) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id },
      action: "api-key.updated",
      caller,
      before: auditedKey(row, members),
      after: auditedKey(changed, members),
    });
    return changed;
  });
