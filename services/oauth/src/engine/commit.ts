import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { ArtifactKind, GrantEnd, Tables } from "../db/tables.ts";
import { insertDeviceRequest, useDeviceRequest } from "../device-requests/queries.ts";
import {
  consumeArtifact,
  deleteArtifact,
  endGrants,
  type GrantFilter,
  type GrantRow,
  holdConsent,
  insertArtifacts,
  insertGrant,
  recordUse,
} from "./queries.ts";
import type { Work } from "./work.ts";

/** Another request has used the code, token or interaction. */
class AlreadyUsed extends Error {}

/** The user has withdrawn the consent that a grant needs, after it was read. */
export class ConsentWithdrawn extends Error {}

/** Too many devices of one client and address wait for their users. */
export class TooManyDevices extends Error {}

interface Needs {
  db: Kysely<Tables>;
  clock: () => number;
}

/** Begins a grant and records it, in the transaction of the cause. */
export const startGrant = async (
  trx: Kysely<Tables>,
  { clock }: Pick<Needs, "clock">,
  grant: GrantRow,
): Promise<void> => {
  await insertGrant(trx, grant);
  const { id: grantId, clientId, userId } = grant;
  await appendAudit(
    trx,
    { clock },
    {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "oauth-grant.started",
      after: { grantId, clientId },
    },
  );
};

/** Ends grants and records it, in the transaction of the cause. Returns their number. */
export const endAndRecord = async (
  trx: Kysely<Tables>,
  { clock }: Pick<Needs, "clock">,
  { filter, reason }: { filter: GrantFilter; reason: GrantEnd },
): Promise<number> => {
  const ended = await endGrants(trx, filter, { now: new Date(clock()), reason });
  for (const { id, clientId, userId } of ended)
    await appendAudit(
      trx,
      { clock },
      {
        actor: { kind: "system" },
        subject: { kind: "user", id: userId },
        action: reason === "replayed" ? "oauth-token.reused" : "oauth-grant.ended",
        after: { grantId: id, clientId, reason },
      },
    );
  return ended.length;
};

const useOnce = async (
  trx: Kysely<Tables>,
  { used, usedDeviceCode }: Pick<Work, "used" | "usedDeviceCode">,
  { now, answerSealed }: { now: Date; answerSealed: string | null },
): Promise<void> => {
  for (const { key, isDeleted } of used) {
    const isFirst = isDeleted
      ? await deleteArtifact(trx, key)
      : await consumeArtifact(trx, key, { now, answerSealed });
    if (!isFirst) throw new AlreadyUsed(key.kind);
  }
  if (usedDeviceCode && !(await useDeviceRequest(trx, usedDeviceCode, now)))
    throw new AlreadyUsed("DeviceCode");
};

const useKinds: ReadonlySet<string> = new Set<ArtifactKind>([
  "AccessToken",
  "AuthorizationCode",
  "ClientCredentials",
  "RefreshToken",
]);

const recordUseOf = async (
  trx: Kysely<Tables>,
  { newArtifacts }: Pick<Work, "newArtifacts">,
  now: Date,
): Promise<void> => {
  const artifact = newArtifacts.find(({ kind }) => useKinds.has(kind));
  if (!artifact?.clientId) return;
  const { clientId, userId = null } = artifact;
  await recordUse(trx, { clientId, userId, now });
};

/**
 * Writes everything that a request has caused, in one transaction. Returns false, and writes nothing, if another request was the first to
 * use what this one used: its tokens then never existed.
 */
export const commitWork = async (
  { db, clock }: Needs,
  work: Work,
  answerSealed: string | null,
): Promise<boolean> => {
  const { newGrant, newArtifacts, used, deleted, endedGrants, newDeviceRequest } = work;
  const isEmpty =
    [...used, ...newArtifacts, ...deleted].length === 0 &&
    endedGrants.size === 0 &&
    !newDeviceRequest &&
    !work.usedDeviceCode;
  if (isEmpty) return true;
  const now = new Date(clock());
  // A grant without a code belongs to a request that waits for the user.
  const isGranted = newArtifacts.some(({ kind }) => kind === "AuthorizationCode");
  try {
    await db.transaction().execute(async (trx) => {
      await useOnce(trx, work, { now, answerSealed });
      if (newGrant && isGranted) {
        const { neededConsent: scopes } = work;
        if (scopes.length > 0 && !(await holdConsent(trx, { ...newGrant, scopes })))
          throw new ConsentWithdrawn();
        await startGrant(trx, { clock }, newGrant);
      }
      if (!(await insertArtifacts(trx, newArtifacts))) throw new AlreadyUsed("ReplayDetection");
      if (newDeviceRequest && !(await insertDeviceRequest(trx, newDeviceRequest)))
        throw new TooManyDevices();
      await recordUseOf(trx, work, now);
      for (const key of deleted) await deleteArtifact(trx, key);
      for (const [id, reason] of endedGrants)
        await endAndRecord(trx, { clock }, { filter: { id }, reason });
    });
    return true;
  } catch (error) {
    if (error instanceof AlreadyUsed) return false;
    throw error;
  }
};

/** Forgets the uses and new artifacts of a refused request. The grants that it ends stay ended. */
export const forgetUses = (work: Work): void => {
  work.used = [];
  work.newArtifacts = [];
  work.usedDeviceCode = undefined;
};

export const newGrantId = randomUUID;
