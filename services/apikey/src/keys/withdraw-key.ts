import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { auditedKey } from "./audited-key.ts";
import { ownerOf } from "./key-owner.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { deleteKey, deleteUnchangedKey, updateRestored, updateSuccessor } from "./queries.ts";
import type { RerolledKey } from "./reroll-key.ts";

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
    const left = await deleteUnchangedKey(trx, successor);
    if (!left) return;
    await auditDeletion(deps, trx, { ...successor, author });
    const restored = await updateRestored(trx, {
      replaced,
      left,
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
