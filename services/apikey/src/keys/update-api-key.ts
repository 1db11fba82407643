import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
  serviceActor,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { auditedKey } from "./audited-key.ts";
import type { ApiKeyRow } from "./key-row.ts";
import {
  checkKeyChange,
  type KeyChange,
  refuseOtherOwner,
  refuseServicesMembers,
} from "./key-rules.ts";
import { lockOwnKey, updateKey } from "./queries.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { showKey } from "./show-key.ts";

type UpdateApiKey = typeof operations.apikey.updateApiKey;
type UpdateApiKeyFor = typeof operations.apikey.updateApiKeyFor;
type Needs = Pick<Deps, "clock" | "config" | "db">;

interface Asked extends Required<Pick<AuditEntry, "actor" | "caller">> {
  given: KeyChange;
  userId: string;
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The columns that change; what is not named is not among them. */
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

const update = async (deps: Needs, { given, userId, actor, caller }: Asked): Promise<ApiKeyRow> =>
  deps.db.transaction().execute(async (trx) => {
    const own = { id: given.keyId, userId };
    const row = await lockOwnKey(trx, own);
    if (!row) throw new WireError("KEY_NOT_FOUND");
    checkKeyChange(deps.config.apiKey, given);
    const now = deps.clock();
    const change = readChange(given, now);
    const members = Object.keys(change) as (keyof typeof change)[];
    if (members.length === 0) throw new WireError("NO_VALUES_TO_UPDATE");
    const changed = await updateKey(trx, own, { ...change, updatedAt: new Date(now) });
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
 * Changes a key of the caller's; what is not named stays as it is, and no use is counted. Throws `INVALID_SESSION` where
 * another owner is named, `USER_BANNED`, `SERVER_ONLY_PROPERTY` for limits and permissions, `KEY_NOT_FOUND`, what
 * `checkKeyChange` finds wrong, and `NO_VALUES_TO_UPDATE`.
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
  const actor = sessionActor(session);
  return { reply: showKey(await update(deps, { given, userId, actor, caller })) };
};

/**
 * Changes a key of a user in the name of a service, limits and permissions included. Throws `INVALID_SESSION` where no user is
 * named, `KEY_NOT_FOUND` where it is not that user's, what `checkKeyChange` finds wrong, and `NO_VALUES_TO_UPDATE`.
 */
export const updateApiKeyFor = async (
  deps: Needs,
  { body: given, caller }: Call<UpdateApiKeyFor>,
): Promise<Answer<OperationReply<UpdateApiKeyFor>>> => {
  const { userId } = given;
  if (!userId) throw new WireError("INVALID_SESSION");
  const actor = serviceActor(caller);
  return { reply: showKey(await update(deps, { given, userId, actor, caller })) };
};
