import { WireError } from "@latchkey/contracts";
import { appendAudit, appendAudits, type AuditEntry } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import type { Transaction } from "kysely";
import { type ApiKeyRow, ownerOf } from "../db/key-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  deleteExpiredKeys,
  deleteKey,
  deleteUnchangedKey,
  updateRestored,
  updateSuccessor,
} from "./queries.ts";
import type { RerolledKey } from "./reroll-key.ts";
import { auditedKey } from "./show-key.ts";

type Needs = Pick<Deps, "clock" | "db">;
type Author = Required<Pick<AuditEntry, "actor" | "caller">>;

const auditDeletion = (
  deps: Needs,
  trx: Transaction<Tables>,
  {
    id,
    author,
    ...owner
  }: Pick<ApiKeyRow, "id" | "organizationId" | "userId"> & { author: Author },
) =>
  appendAudit(trx, deps, {
    ...author,
    subject: { kind: "api-key", id },
    action: "api-key.deleted",
    before: ownerOf(owner),
  });

/** Deletes a new key whose text nobody has received. */
export const withdrawKey = (deps: Needs, id: string, author: Author): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, id);
    if (deleted) await auditDeletion(deps, trx, { ...deleted, id, author });
  });

/**
 * Undoes a re-roll whose new text nobody has received. The replaced key gets back its end and the limits, less the uses since. If someone
 * has changed or re-rolled the successor meanwhile, everything stays.
 */
export const withdrawReroll = (
  deps: Needs,
  { successor, retired, replaced }: RerolledKey,
  author: Author,
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const { id } = replaced;
    const deletedKey = await deleteUnchangedKey(trx, successor);
    if (!deletedKey) return;
    await auditDeletion(deps, trx, { ...successor, author });
    const restored = await updateRestored(trx, {
      replaced,
      left: deletedKey,
      now: new Date(deps.clock()),
    });
    await updateSuccessor(trx, { id: successor.id, successorId: id });
    if (!restored) return;
    const members = ["enabled", "expiresAt", "successorId"] as const;
    await appendAudit(trx, deps, {
      ...author,
      subject: { kind: "api-key", id },
      action: "api-key.updated",
      before: auditedKey({ ...retired, successorId: successor.id }, members),
      after: auditedKey(restored, members),
    });
  });

/** Deletes a key with an audit entry. Of several concurrent calls, one deletes. Throws `KEY_NOT_FOUND`. */
export const eraseKey = (deps: Needs, { id, ...author }: { id: string } & Author): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, id);
    if (!deleted) throw new WireError("KEY_NOT_FOUND");
    await auditDeletion(deps, trx, { ...deleted, id, author });
  });

const actor = { kind: "system" } as const;

const batchSize = 1_000;

/** Deletes the expired keys, with an audit entry for each. Returns how many, without those that others deleted. */
export const sweepExpiredKeys = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const now = new Date(deps.clock());
  return inBatches(batchSize, (limit) =>
    deps.db.transaction().execute(async (trx) => {
      const keys = await deleteExpiredKeys(trx, now, limit);
      const entries = keys.map(({ id, ...owner }) => ({
        actor,
        subject: { kind: "api-key", id },
        action: "api-key.expired" as const,
        before: ownerOf(owner),
      }));
      await appendAudits(trx, deps, entries);
      return keys.length;
    }),
  );
};

/** Deletes every expired key without waiting for the next sweep. */
export const deleteExpiredApiKeys = async (
  deps: Pick<Deps, "clock" | "db">,
): ReturnType<Handler<"deleteExpiredApiKeys">> => {
  await sweepExpiredKeys(deps);
  return { reply: { success: true, error: null } };
};
