import {
  type Caller,
  hasPermissions,
  type OperationReply,
  operations,
  type OrganizationSummary,
  type UserSummary,
  WireError,
} from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { readList } from "@latchkey/service-kit/lists";
import type { ApiKeyRow, KeyOwner, OwnerColumns } from "../db/key-row.ts";
import type { Deps, Handler } from "../deps.ts";
import { changeKey } from "../keys/change-key.ts";
import { chooseGivenOwner } from "../keys/choose-owner.ts";
import { eraseKey } from "../keys/end-keys.ts";
import { issueKey } from "../keys/issue-key.ts";
import type { KeyChange } from "../keys/key-rules.ts";
import { adminSecondFactorOf } from "../keys/key-sessions.ts";
import type { KeyRecipient } from "../keys/mail-new-key.ts";
import { findKey } from "../keys/queries.ts";
import { excludeFromEnabling } from "../owners/ended-keys/queries.ts";
import { lockKeysOf } from "../owners/queries.ts";
import { rerollKey, showRetired } from "../keys/reroll-key.ts";
import { showKey } from "../keys/show-key.ts";
import { findOrganizations } from "../organizations/organization-calls.ts";
import { keyList, updateDisabledByAdmin } from "./queries.ts";
import { checkKeyReach, type CheckKeyReachNeeds, checkOwnerReach } from "./reach.ts";

/** The existing owners of some keys, by id. */
interface Owners {
  users: ReadonlyMap<string, UserSummary>;
  organizations: ReadonlyMap<string, OrganizationSummary>;
}

const findUsers = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  given: readonly string[],
): Promise<Owners["users"]> => {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const body = { ids };
  const { users } = await identity.call(operations.identity.findUsers, { body }, { requestId });
  return new Map(users.map((user) => [user.id, user]));
};

/** Returns the owners of some keys, by at most one call to each service. Rejects if a service that has to answer is unavailable. */
const findOwners = async (
  deps: Pick<Deps, "identity" | "organization">,
  caller: Pick<Caller, "requestId">,
  keys: readonly OwnerColumns[],
): Promise<Owners> => {
  const [users, organizations] = await Promise.all([
    findUsers(
      deps,
      caller,
      keys.flatMap(({ userId }) => userId ?? []),
    ),
    findOrganizations(
      deps,
      caller,
      keys.flatMap(({ organizationId }) => organizationId ?? []),
    ),
  ]);
  return { users, organizations };
};

/** Returns a key for admins. */
const showAdminKey = (
  row: ApiKeyRow,
): OperationReply<typeof operations.apikey.adminDisableApiKey> => ({
  ...showKey(row),
  disabledByAdmin: row.disabledByAdmin,
  successorId: row.successorId,
});

/** Returns a key for admins with its owner, which is null if it was deleted. */
const showOwnedKey = (
  row: ApiKeyRow,
  { users, organizations }: Owners,
): OperationReply<typeof operations.apikey.adminGetApiKey> => ({
  ...showAdminKey(row),
  user: (row.userId !== null && users.get(row.userId)) || null,
  organization: (row.organizationId !== null && organizations.get(row.organizationId)) || null,
});

/**
 * Returns a page of all keys for admins, oldest first by default, each with its owner. A search matches a whole prefix or the
 * beginning of the first characters. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListApiKeys: Handler<"adminListApiKeys"> = async (deps, { query, caller }) => {
  const now = new Date(deps.clock());
  const { rows, ...page } = await readList(deps.db, keyList, { ...query, now });
  const owners = await findOwners(deps, caller, rows);
  return { reply: { apiKeys: rows.map((row) => showOwnedKey(row, owners)), ...page } };
};

/** Returns a key of any owner with its owner, also a recently expired one. Throws `KEY_NOT_FOUND`. */
export const adminGetApiKey: Handler<"adminGetApiKey"> = async (
  deps,
  { params: { id }, caller },
) => {
  const row = await findKey(deps.db, id);
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: showOwnedKey(row, await findOwners(deps, caller, [row])) };
};

/** Replaces `INVALID_SESSION`, because the caller's session is valid even if the owner was deleted in the meantime. */
const orOwnerNotFound =
  (owner: KeyOwner) =>
  (error: unknown): never => {
    if (!(error instanceof WireError) || error.code !== "INVALID_SESSION") throw error;
    throw "userId" in owner
      ? new WireError("USER_NOT_FOUND", { status: 400 })
      : new WireError("ORGANIZATION_NOT_FOUND");
  };

/**
 * Creates a key for a user or an organization, with limits and permissions. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS` if the owner has
 * a permission that the caller lacks, because the key lets its holder act as the owner. Throws `USER_NOT_FOUND` or `ORGANIZATION_NOT_FOUND`
 * for a deleted owner, and otherwise the errors of a service that creates a key.
 */
export const adminCreateApiKey: Handler<"adminCreateApiKey"> = async (deps, call) => {
  const { body: input, caller, session } = call;
  if (input.userId === undefined && input.organizationId === undefined)
    throw new WireError("VALIDATION_ERROR", {
      message: "Invalid body parameters",
      issues: [{ path: "userId", message: "either `userId` or `organizationId`" }],
    });
  const { owner, user: recipient } = await chooseGivenOwner(deps, caller, input);
  await checkOwnerReach(deps, call, { owner, operation: "adminCreateApiKey" });
  const actor = sessionActor(session);
  const secondFactor = adminSecondFactorOf(deps, session);
  const issue = { given: input, owner, actor, caller, secondFactor, recipient };
  return { reply: await issueKey(deps, issue).catch(orOwnerNotFound(owner)) };
};

/** These fields change nothing about the power of a key. The others may let it do more, as a new key would. */
const harmless: ReadonlySet<string> = new Set(["name", "metadata"] satisfies (keyof KeyChange)[]);

const givesPower = (change: KeyChange): boolean =>
  Object.entries(change).some(([name, value]) => value !== undefined && !harmless.has(name));

/**
 * Changes the named fields of a key of any owner whom the caller may act on. Anything but the name and the metadata also requires the permission
 * to create keys, because the key may be the caller's own. Its owner cannot change a lifetime that is set here. Throws
 * `KEY_NOT_FOUND`, the errors of the permissions, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const adminUpdateApiKey: Handler<"adminUpdateApiKey"> = async (deps, call) => {
  const { params, body: change, caller, session } = call;
  if (
    givesPower(change) &&
    !hasPermissions(deps.config.admin, session.user, { apiKey: ["create"] })
  )
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS");
  await checkKeyReach(deps, call, "adminUpdateApiKey");
  const actor = sessionActor(session);
  const keyChange = { id: params.id, change, isOwn: false, actor, caller };
  return { reply: showAdminKey(await changeKey(deps, keyChange)) };
};

type AdminDisableApiKey = typeof operations.apikey.adminDisableApiKey;
type AdminEnableApiKey = typeof operations.apikey.adminEnableApiKey;

/**
 * Sets whether an admin has disabled a key. Does nothing if the key already has that state, except that the undo of a merge does not enable a
 * key that an admin has disabled.
 */
const setDisabled = async (
  deps: Deps,
  call: Call<AdminDisableApiKey | AdminEnableApiKey>,
  disabledByAdmin: boolean,
): Promise<Answer<OperationReply<AdminDisableApiKey>>> => {
  const { params, caller, session } = call;
  const { id } = params;
  await checkKeyReach(deps, call, "adminDisableApiKey");
  const row = await deps.db.transaction().execute(async (trx) => {
    const { userId = null } = (await findKey(trx, id)) ?? {};
    // Merges and undos lock both users. Therefore it does not matter if one moves the key meanwhile.
    if (userId !== null) await lockKeysOf(trx, { userId });
    if (disabledByAdmin) await excludeFromEnabling(trx, id);
    const now = new Date(deps.clock());
    const changed = await updateDisabledByAdmin(trx, { id, disabledByAdmin, now });
    if (!changed) return findKey(trx, id);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "api-key", id },
      action: disabledByAdmin ? "api-key.disabled" : "api-key.enabled",
      caller,
      before: { disabledByAdmin: !disabledByAdmin },
      after: { disabledByAdmin },
    });
    return changed;
  });
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: showAdminKey(row) };
};

/** Disables a key. Its owner cannot enable it again. Throws `KEY_NOT_FOUND`. */
export const adminDisableApiKey: Handler<"adminDisableApiKey"> = (deps, call) =>
  setDisabled(deps, call, true);

/** Reverts the disabling by an admin. A key that its owner has disabled stays disabled. Throws `KEY_NOT_FOUND`. */
export const adminEnableApiKey: Handler<"adminEnableApiKey"> = (deps, call) =>
  setDisabled(deps, call, false);

/** Returns the user whom a mail tells of the new key. Nobody is mailed about a key of an organization. */
const findRecipient = async (
  { identity }: Pick<CheckKeyReachNeeds, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  { userId }: Pick<ApiKeyRow, "userId">,
): Promise<KeyRecipient | undefined> => {
  if (userId === null) return undefined;
  const { findKeyOwner } = operations.identity;
  const owner = await identity.call(findKeyOwner, { body: { userId } }, { requestId });
  return owner?.user;
};

/**
 * Replaces a key of any owner whom the caller may act on by a successor, whose text only this reply contains. It creates a key and ends
 * another, so it requires both permissions. Throws `KEY_NOT_FOUND`, `KEY_RETIRED`, `USER_BANNED`, and the errors of the permissions.
 */
export const adminRerollApiKey: Handler<"adminRerollApiKey"> = async (deps, call) => {
  const { body, caller, session } = call;
  if (!hasPermissions(deps.config.admin, session.user, { apiKey: ["update"] }))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS");
  const key = await checkKeyReach(deps, call, "adminRerollApiKey");
  const reroll = {
    key,
    ...body,
    actor: sessionActor(session),
    caller,
    secondFactor: adminSecondFactorOf(deps, session),
    recipient: await findRecipient(deps, caller, key),
  };
  const { successor, text, retired } = await rerollKey(deps, reroll);
  return { reply: { ...showKey(successor), key: text, retiredKey: showRetired(retired) } };
};

/** Deletes a key of any owner whom the caller may act on. Of several concurrent calls, one deletes. Throws `KEY_NOT_FOUND`. */
export const adminDeleteApiKey: Handler<"adminDeleteApiKey"> = async (deps, call) => {
  const { params, caller, session } = call;
  await checkKeyReach(deps, call, "adminDeleteApiKey");
  await eraseKey(deps, { id: params.id, actor: sessionActor(session), caller });
  return { reply: { success: true } };
};
