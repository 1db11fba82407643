import type { Event } from "@latchkey/contracts";
import { appendAudits, type AuditEntry } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { Transaction } from "kysely";
import { ownerOf } from "../db/key-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteUsageOf, type UsageOwners } from "../usage/queries.ts";
import {
  clearCreator,
  deleteDepartedOrganizations,
  listDepartedOrganizations,
  upsertDepartedOrganization,
} from "./organization-queries.ts";
import {
  type DeletedKey,
  deleteCreatedKeys,
  deleteKeysOf,
  disableKeysOf,
  endsAllBefore,
  type KeysOf,
} from "./ended-keys/queries.ts";
import {
  deleteNewKeyMailsOf,
  deleteOwners,
  isSecured,
  listDeparted,
  lockKeysOf,
  upsertBan,
  upsertClaimed,
  upsertDeparted,
  upsertSecured,
  upsertKeySessionsEnded,
} from "./queries.ts";

/** The number of keys per statement. */
const batchSize = 1_000;

const actor = { kind: "system" } as const;
const action = "api-key.deleted";

/** Records that keys were deleted, each with its last owner. Returns how many there were. */
export const recordDeleted = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  keys: readonly DeletedKey[],
): Promise<number> => {
  const entries = keys.map(({ id, ...owner }): AuditEntry => {
    return { actor, subject: { kind: "api-key", id }, action, before: ownerOf(owner) };
  });
  await appendAudits(trx, deps, entries);
  return keys.length;
};

/** Records that the system disabled keys, as an admin does. */
export const recordDisabled = (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  ids: readonly string[],
): Promise<void> =>
  appendAudits(
    trx,
    deps,
    ids.map((id) => ({
      actor,
      subject: { kind: "api-key", id },
      action: "api-key.disabled" as const,
      before: { disabledByAdmin: false },
      after: { disabledByAdmin: true },
    })),
  );

/** Deletes some keys of an owner, with an audit entry for each. Returns how many there were. */
const eraseKeys = (deps: Pick<Deps, "clock" | "db">, keys: KeysOf): Promise<number> =>
  deps.db
    .transaction()
    .execute(async (trx) => recordDeleted(deps, trx, await deleteKeysOf(trx, keys)));

/** Deletes some keys of organizations that a user created, with an audit entry for each. Returns how many there were. */
const eraseCreatedKeys = (
  deps: Pick<Deps, "clock" | "db">,
  created: Parameters<typeof deleteCreatedKeys>[1],
): Promise<number> =>
  deps.db
    .transaction()
    .execute(async (trx) => recordDeleted(deps, trx, await deleteCreatedKeys(trx, created)));

/** Deletes the counts of uses of all keys that some owners had. */
const forgetUsage = async ({ db }: Pick<Deps, "db">, owners: UsageOwners): Promise<void> => {
  await inBatches(batchSize, (limit) => deleteUsageOf(db, owners, limit));
};

/**
 * Deletes the keys of a deleted user, the counts of their uses and of mails about them, and forgets which keys of organizations they
 * created. The user is recorded as departed first, behind a lock on their keys. Therefore no key can appear after a step has passed. Each
 * step works on the remaining rows, so that it may be interrupted and run again.
 */
export const forgetOwner = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { userId } }: Event<"user.deleted">,
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    await upsertDeparted(trx, userId, new Date(deps.clock()));
  });
  await inBatches(batchSize, (limit) => eraseKeys(deps, { owner: { userId }, limit }));
  await clearCreator(deps.db, userId);
  await forgetUsage(deps, { userIds: [userId] });
  await deleteNewKeyMailsOf(deps.db, userId);
};

/**
 * Deletes the keys of a deleted organization and the counts of their uses. The organization is recorded as departed first, behind a lock on
 * its keys, so that no key can appear after a step has passed. Each step works on the remaining rows, so that it may be run again.
 */
export const forgetOrganization = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { organizationId } }: Event<"organization.deleted">,
): Promise<void> => {
  const owner = { organizationId };
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, owner);
    await upsertDepartedOrganization(trx, organizationId, new Date(deps.clock()));
  });
  await inBatches(batchSize, (limit) => eraseKeys(deps, { owner, limit }));
  await forgetUsage(deps, { organizationIds: [organizationId] });
};

/**
 * Deletes the keys of a user whom the verified owner of the address has claimed. These are the user's own keys and those that the user
 * created for organizations, also if a merge has moved them since. The attacker who registered the address may hold any of them, also one
 * that a service or an admin made. The claim is recorded first. From then on earlier keys are rejected, and none
 * is created in an earlier session.
 */
export const endKeysOfClaimed = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { userId }, occurredAt }: Event<"user.claimed">,
): Promise<void> => {
  const claimedAt = new Date(occurredAt);
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    await upsertClaimed(trx, userId, claimedAt);
  });
  const end = endsAllBefore(claimedAt);
  await inBatches(batchSize, (limit) => eraseKeys(deps, { owner: { userId }, end, limit }));
  await inBatches(batchSize, (limit) => eraseCreatedKeys(deps, { userId, end, limit }));
};

/**
 * Disables the keys of a user whom an admin has secured. These are the user's own keys and those that the user created for organizations,
 * also if a merge has moved them since. None is created in an earlier session from then on. An event that is delivered again changes
 * nothing, so that it does not disable a key that an admin has enabled since.
 */
export const disableKeysOfSecured = async (
  deps: Pick<Deps, "clock" | "db">,
  { data: { userId }, occurredAt }: Event<"user.secured">,
): Promise<void> => {
  const securedAt = new Date(occurredAt);
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    if (await isSecured(trx, userId, securedAt)) return;
    await upsertSecured(trx, userId, securedAt);
    const now = new Date(deps.clock());
    const ids = await disableKeysOf(trx, { userId, end: endsAllBefore(securedAt), now });
    await recordDisabled(deps, trx, ids);
  });
};

/**
 * Deletes the keys of a user that can stand for a session when a new password ended everything that could sign in. The ended sessions create
 * no key from then on. Keys for services only stay, because they sign in nobody. Keys created since the event stay, too.
 */
export const endKeySessions = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { data: { userId, sessionsBefore }, occurredAt }: Event<"key-sessions.ended">,
): Promise<void> => {
  await deps.db.transaction().execute(async (trx) => {
    await lockKeysOf(trx, { userId });
    await upsertKeySessionsEnded(trx, userId, {
      keySessionsEndedAt: new Date(occurredAt),
      sessionsEndedAt: sessionsBefore === undefined ? null : new Date(sessionsBefore),
    });
  });
  if (!deps.config.apiKey.enableSessionForAPIKeys) return;
  const keysEnd = {
    createdUntil: new Date(occurredAt),
    sessionsBefore: sessionsBefore === undefined ? undefined : new Date(sessionsBefore),
  };
  await inBatches(batchSize, (limit) =>
    eraseKeys(deps, { owner: { userId }, end: keysEnd, isOfSessions: true, limit }),
  );
};

/** Records a ban of a user, whose keys are rejected while it is in force. Events older than the stored version change nothing. */
export const recordBan = async (
  { db }: Pick<Deps, "db">,
  { data: { userId, revision, banned, banExpires } }: Event<"user.ban-changed">,
): Promise<void> => {
  const bannedUntil = banExpires === null ? null : new Date(banExpires);
  await upsertBan(db, { userId, revision, banned, bannedUntil });
};

/** How long a deleted owner is remembered: far longer than the lifetime of a gateway's signed caller. */
const departedMilliseconds = 3_600_000;

/**
 * Deletes records of departed users that are so old that no request of theirs can be in flight. Deletes counts that were written during the
 * deletion first, because without the record nobody could find them.
 */
export const sweepDepartedOwners = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - departedMilliseconds);
  await inBatches(batchSize, async (limit) => {
    const userIds = await listDeparted(db, before, limit);
    await forgetUsage({ db }, { userIds });
    await deleteOwners(db, userIds);
    return userIds.length;
  });
};

/** Deletes records of deleted organizations that are so old that no request can be in flight. Deletes late counts first. */
export const sweepDepartedOrganizations = async ({
  db,
  clock,
}: Pick<Deps, "clock" | "db">): Promise<void> => {
  const before = new Date(clock() - departedMilliseconds);
  await inBatches(batchSize, async (limit) => {
    const organizationIds = await listDepartedOrganizations(db, before, limit);
    await forgetUsage({ db }, { organizationIds });
    await deleteDepartedOrganizations(db, organizationIds);
    return organizationIds.length;
  });
};
