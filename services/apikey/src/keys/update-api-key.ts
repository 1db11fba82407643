import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
  serviceActor,
  sessionActor,
} from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { auditedKey } from "./audited-key.ts";
import type { ApiKeyRow } from "./key-row.ts";
import {
  checkKeyChange,
  type KeyChange,
  refuseOtherOwner,
  refuseServicesMembers,
} from "./key-rules.ts";
import { isMadeByOwner, lockOwnKey, updateKey } from "./queries.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";
import { showKey } from "./show-key.ts";

type UpdateApiKey = typeof operations.apikey.updateApiKey;
type UpdateApiKeyFor = typeof operations.apikey.updateApiKeyFor;
type Needs = Pick<Deps, "clock" | "config" | "db">;

interface Asked extends Required<Pick<AuditEntry, "actor" | "caller">> {
  given: KeyChange;
  userId: string;
  /** Whether the owner makes the change, not a service. */
  isOwn: boolean;
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Returns only the columns that change. */
const readChange = (given: KeyChange, now: number) => {
  const { keyId: _keyId, userId: _userId, expiresIn, metadata, permissions, ...members } = given;
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

const update = async (
  deps: Needs,
  { given, userId, isOwn, actor, caller }: Asked,
): Promise<ApiKeyRow> =>
  deps.db.transaction().execute(async (trx) => {
    const own = { id: given.keyId, userId };
    const row = await lockOwnKey(trx, own);
    if (!row) throw new WireError("KEY_NOT_FOUND");
    const now = deps.clock();
    const key = isOwn ? { ...row, lifetimeLocked: await isLocked(trx, row, given) } : undefined;
    checkKeyChange(deps.config.apiKey, given, { own: key, now });
    const change = readChange(given, now);
    const members = Object.keys(change) as (keyof typeof change)[];
    if (members.length === 0) throw new WireError("NO_VALUES_TO_UPDATE");
    const changed = await updateKey(trx, own, {
      ...change,
      ...(!isOwn && given.expiresIn !== undefined ? { lifetimeLocked: true } : {}),
      updatedAt: new Date(now),
    });
    if (!changed) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id: own.id },
      action: "api-key.updated",
      caller,
      before: auditedKey(row, members),
      after: auditedKey(changed, members),
    });
    return changed;
  });

/**
 * Changes the named fields of a key of the caller, without counting a use. Throws `INVALID_SESSION` if the body names another owner,
 * `USER_BANNED`, `SERVER_ONLY_PROPERTY` for limits and permissions, `KEY_NOT_FOUND`, the errors of `checkKeyChange`, and
 * `NO_VALUES_TO_UPDATE`.
 */
export const updateApiKey = async (
  deps: Needs,
  { body: given, caller, session }: Call<UpdateApiKey>,
): Promise<Answer<OperationReply<UpdateApiKey>>> => {
  const { user } = session;
  const userId = user.id;
  refuseOtherOwner(given, userId);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(given);
  const asked = { given, userId, isOwn: true, actor: sessionActor(session), caller };
  const key = showKey(await update(deps, asked));
  return { reply: shapeForSdk(sdkVersionOf(deps, caller), key) };
};

/**
 * Changes a key of a user on behalf of a service, including limits and permissions. Throws `INVALID_SESSION` if the body names no user,
 * `KEY_NOT_FOUND` if it is not that user's key, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const updateApiKeyFor = async (
  deps: Needs,
  { body: given, caller }: Call<UpdateApiKeyFor>,
): Promise<Answer<OperationReply<UpdateApiKeyFor>>> => {
  const { userId } = given;
  if (!userId) throw new WireError("INVALID_SESSION");
  const asked = { given, userId, isOwn: false, actor: serviceActor(caller), caller };
  return { reply: showKey(await update(deps, asked)) };
};
