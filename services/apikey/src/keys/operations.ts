import { type FullUser, type operations, WireError } from "@latchkey/contracts";
import { serviceActor, sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import { limitDefault, readAmounts } from "@latchkey/service-kit/lists";
import { type ApiKeyRow, isOwnedBy, type KeyOwner } from "../db/key-row.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  confirmMember,
  hasOrganizationKeys,
  type KeyAction,
} from "../organizations/organization-calls.ts";
import { changeKey } from "./change-key.ts";
import { chooseGivenOwner, chooseOwnOwner } from "./choose-owner.ts";
import { eraseKey, withdrawKey, withdrawReroll } from "./end-keys.ts";
import { issueKey } from "./issue-key.ts";
import { refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { opensSessions, requireStrongCreator, secondFactorOf } from "./key-sessions.ts";
import { findKey, listOwnKeys } from "./queries.ts";
import { rerollKey, showRetired } from "./reroll-key.ts";
import {
  defaultConfigId,
  sdkVersionOf,
  shapeForNewSdk,
  shapeForSdk,
  showKey,
  showOwnKey,
} from "./show-key.ts";

/** Throws `USER_BANNED` for a user whose ban is in force at `now`, in ms since the Unix epoch. */
export const refuseBanned = (
  { banned, banExpires }: Pick<FullUser, "banExpires" | "banned">,
  now: number,
): void => {
  if (banned === true && (!banExpires || banExpires.getTime() > now))
    throw new WireError("USER_BANNED");
};

type FindManagedKeyNeeds = CheckMemberNeeds & Pick<Deps, "db">;

/**
 * Returns a key on which the caller may take an action: their own, or one of an organization whose role permits it. The owner of a key never
 * changes, so that the answer still holds when the key is locked later. Throws `KEY_NOT_FOUND`, also to callers who are not members, and the
 * errors of `checkMember`.
 */
const findManagedKey = async (
  deps: FindManagedKeyNeeds,
  acting: ActingMember,
  { id, action }: { id: string; action: KeyAction },
): Promise<ApiKeyRow> => {
  const row = await findKey(deps.db, id);
  if (!row) throw new WireError("KEY_NOT_FOUND");
  const { organizationId } = row;
  if (organizationId === null) {
    if (row.userId === acting.session.user.id) return row;
    throw new WireError("KEY_NOT_FOUND");
  }
  if (!hasOrganizationKeys(deps)) throw new WireError("KEY_NOT_FOUND");
  await checkMember(deps, acting, { organizationId, action, stranger: "KEY_NOT_FOUND" });
  return row;
};

/**
 * Creates a key for the caller, or for an organization in which the caller's role permits it. Only this reply contains its text. Throws
 * `INVALID_SESSION` if the body names another user or the caller is deleted, `SERVER_ONLY_PROPERTY` for limits and permissions,
 * `USER_BANNED`, and the errors of `chooseOwnOwner` and `issueKey`.
 */
export const createApiKey: Handler<"createApiKey"> = async (
  deps,
  { body: given, caller, session },
) => {
  const { user } = session;
  refuseOtherOwner(given, user.id);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(given);
  const owner = await chooseOwnOwner(deps, { caller, session }, given);
  const actor = sessionActor(session);
  const secondFactor = secondFactorOf(deps, session);
  const issue = { given, owner, actor, caller, by: session, secondFactor, recipient: user };
  const created = await issueKey(deps, issue);
  if ("organizationId" in owner)
    await confirmMember(
      deps,
      { caller, session },
      {
        asked: [{ ...owner, action: "create" }],
        undo: () => withdrawKey(deps, created.id, { actor, caller }),
      },
    );
  return { reply: shapeForSdk(deps, caller, created) };
};

/**
 * Creates a key for a user or an organization on behalf of a service, with limits and permissions. Throws the errors of `chooseGivenOwner`
 * and `checkNewKey`, and `INVALID_SESSION` if the owner is deleted in the meantime.
 */
export const createApiKeyFor: Handler<"createApiKeyFor"> = async (
  deps,
  { body: given, caller },
) => {
  const { owner } = await chooseGivenOwner(deps, caller, given);
  const actor = serviceActor(caller);
  return { reply: await issueKey(deps, { given, owner, actor, caller, secondFactor: null }) };
};

/** Returns a key of the caller or of an organization, also a recently expired one. Throws the errors of `findManagedKey`. */
export const getApiKey: Handler<"getApiKey"> = async (deps, call) => {
  const row = await findManagedKey(deps, call, { id: call.query.id, action: "read" });
  return { reply: shapeForSdk(deps, call.caller, showOwnKey(row)) };
};

type ListApiKeys = typeof operations.apikey.listApiKeys;
type Query = Call<ListApiKeys>["query"];

/** Returns whether a query has a parameter that the SDK 1.2 never sends. */
const namesNew = ({ sortBy, sortDirection, configId, organizationId }: Query): boolean =>
  [sortBy, sortDirection, configId, organizationId].some((member) => member !== undefined);

const amountOf = (amount: string | number | undefined) =>
  amount === undefined ? undefined : Number(amount);

/** Returns the owner of the requested keys, and the configuration that they have in the SDK 1.7. */
const chooseOwner = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  { organizationId }: Query,
): Promise<{ owner: KeyOwner; configId: string }> => {
  if (organizationId === undefined)
    return { owner: { userId: acting.session.user.id }, configId: defaultConfigId };
  if (!hasOrganizationKeys(deps)) throw new WireError("ORGANIZATION_KEYS_DISABLED");
  await checkMember(deps, acting, { organizationId, action: "read" });
  return { owner: { organizationId }, configId: deps.config.apiKey.organizationKeys.configId };
};

/**
 * Lists the keys of the caller or of an organization, by default the oldest first. Returns a bare list for the SDK 1.2, and a page with
 * the total for 1.7. Both page by offset alone. Throws `VALIDATION_ERROR` for invalid limits, `ORGANIZATION_KEYS_DISABLED`, and the errors
 * of `checkMember`.
 */
export const listApiKeys: Handler<"listApiKeys"> = async (deps, { caller, query, session }) => {
  const version = namesNew(query) ? "1.7" : sdkVersionOf(deps, caller);
  const order = {
    by: query.sortBy ?? "createdAt",
    direction: query.sortDirection ?? "asc",
  } as const;
  const { limit: requestedLimit, offset } = readAmounts(query);
  const limit = requestedLimit || limitDefault;
  const { owner, configId } = await chooseOwner(deps, { caller, session }, query);
  const read = () => listOwnKeys(deps.db, { owner, order, limit, offset });
  if (version === "1.2") return { reply: (await read()).keys.map(showOwnKey) };
  const named = { limit: amountOf(query.limit), offset: amountOf(query.offset) };
  if (query.configId !== undefined && query.configId !== configId)
    return { reply: { apiKeys: [], total: 0, ...named } };
  const { keys, total } = await read();
  const apiKeys = keys.map((row) => shapeForNewSdk(deps, showOwnKey(row)));
  return { reply: { apiKeys, total, ...named } };
};

/**
 * Changes the named fields of a key of the caller or of an organization, without counting a use. Throws `INVALID_SESSION` if the body names
 * another user, `USER_BANNED`, `SERVER_ONLY_PROPERTY` for limits and permissions, and the errors of `findManagedKey` and `changeKey`. Throws
 * `SESSION_IS_NOT_FRESH` if the change lets a key stand for a session again or for longer, and the caller's session is not strong.
 */
export const updateApiKey: Handler<"updateApiKey"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { keyId, userId: named, ...change } = body;
  refuseOtherOwner({ userId: named }, session.user.id);
  refuseBanned(session.user, deps.clock());
  refuseServicesMembers(change);
  const managedKey = await findManagedKey(deps, call, { id: keyId, action: "update" });
  const { id } = managedKey;
  const givesAccess = change.enabled === true || change.expiresIn !== undefined;
  if (givesAccess && opensSessions(deps.config, managedKey)) requireStrongCreator(deps, session);
  const actor = sessionActor(session);
  const key = showOwnKey(await changeKey(deps, { id, change, isOwn: true, actor, caller }));
  return { reply: shapeForSdk(deps, caller, key) };
};

/**
 * Changes a key of a user or an organization on behalf of a service, including limits and permissions. Throws `INVALID_SESSION` if the body
 * names neither, `KEY_NOT_FOUND` if it is not the key of the named one, and the errors of `changeKey`.
 */
export const updateApiKeyFor: Handler<"updateApiKeyFor"> = async (deps, { body, caller }) => {
  const { keyId: id, userId, organizationId, ...change } = body;
  if (!userId && organizationId === undefined) throw new WireError("INVALID_SESSION");
  const owner = userId ? { userId } : { organizationId: organizationId ?? "" };
  const row = await findKey(deps.db, id);
  if (!row || !isOwnedBy(row, owner)) throw new WireError("KEY_NOT_FOUND");
  const keyChange = { id, change, isOwn: false, actor: serviceActor(caller), caller };
  return { reply: showKey(await changeKey(deps, keyChange)) };
};

/**
 * Replaces a key of the caller or of an organization by a successor, whose text only this reply contains. In an organization this requires
 * the permissions to create and to update keys. Throws `USER_BANNED`, `KEY_RETIRED` for a key that is replaced already, and the errors of
 * `findManagedKey` and `rerollKey`.
 */
export const rerollApiKey: Handler<"rerollApiKey"> = async (deps, call) => {
  const { body, caller, session } = call;
  refuseBanned(session.user, deps.clock());
  const managedKey = await findManagedKey(deps, call, { id: body.keyId, action: "update" });
  const { organizationId } = managedKey;
  const author = { actor: sessionActor(session), caller };
  // A re-roll gives a new key, so that the permission to change keys does not suffice.
  if (organizationId !== null) await checkMember(deps, call, { organizationId, action: "create" });
  const { overlapSeconds } = body;
  const creator = {
    by: session,
    secondFactor: secondFactorOf(deps, session),
    recipient: session.user,
  };
  const rerolled = await rerollKey(deps, {
    key: managedKey,
    overlapSeconds,
    ...author,
    ...creator,
  });
  const { successor, text, retired } = rerolled;
  if (organizationId !== null)
    await confirmMember(deps, call, {
      asked: [
        { organizationId, action: "update", stranger: "KEY_NOT_FOUND" },
        { organizationId, action: "create" },
      ],
      undo: () => withdrawReroll(deps, rerolled, author),
    });
  const key = shapeForSdk(deps, caller, showOwnKey(successor));
  return { reply: { ...key, key: text, retiredKey: showRetired(retired) } };
};

/**
 * Deletes a key of the caller or of an organization. Of several concurrent calls, one deletes. Throws `USER_BANNED` and the errors of
 * `findManagedKey`.
 */
export const deleteApiKey: Handler<"deleteApiKey"> = async (deps, call) => {
  const { body, caller, session } = call;
  refuseBanned(session.user, deps.clock());
  const { id } = await findManagedKey(deps, call, { id: body.keyId, action: "delete" });
  await eraseKey(deps, { id, actor: sessionActor(session), caller });
  return { reply: { success: true } };
};
