import type { Caller } from "@latchkey/contracts";
import type { Insertable, Kysely } from "kysely";
import type { AuditTable, KitTables } from "../database/kit-tables.ts";

/**
 * One state change: actor, action and subject. `before` and `after` hold the changed fields, never a secret. The key
 * `viaApiKey` in `after` is reserved.
 */
export interface AuditEntry {
  actor: { kind: "user" | "service" | "system" | "anonymous"; id?: string };
  subject: { kind: string; id: string };
  /** The action, as `noun.verb`: `session.created`. */
  action: string;
  outcome?: "success" | "refused";
  caller?: Caller;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

const json = (value: Record<string, unknown> | undefined) =>
  value === undefined ? null : JSON.stringify(value);

/** The after state. For a session that an API key stands for, it also names the key. */
const afterOf = ({ caller, after }: AuditEntry): Record<string, unknown> | undefined =>
  caller?.apiKeyId === undefined ? after : { ...after, viaApiKey: caller.apiKeyId };

/** Returns the row of an entry, for a statement that writes it together with the change. */
export const auditRow = (
  { clock }: { clock: () => number },
  entry: AuditEntry,
): Insertable<AuditTable> => ({
  occurredAt: new Date(clock()),
  actorKind: entry.actor.kind,
  actorId: entry.actor.id ?? null,
  subjectKind: entry.subject.kind,
  subjectId: entry.subject.id,
  action: entry.action,
  outcome: entry.outcome ?? "success",
  address: entry.caller?.address ?? "",
  requestId: entry.caller?.requestId ?? "",
  before: json(entry.before),
  after: json(afterOf(entry)),
});

/** Writes audit rows in the transaction of the changes that they record. */
export const appendAudits = async <Tables extends KitTables>(
  trx: Kysely<Tables>,
  collaborators: { clock: () => number },
  entries: readonly AuditEntry[],
): Promise<void> => {
  if (entries.length === 0) return;
  const db = trx as unknown as Kysely<KitTables>; // a service's tables extend these
  const rows = entries.map((entry) => auditRow(collaborators, entry));
  await db.insertInto("audit").values(rows).execute();
};

/** Writes an audit row in the transaction of the change that it records. */
export const appendAudit = <Tables extends KitTables>(
  trx: Kysely<Tables>,
  collaborators: { clock: () => number },
  entry: AuditEntry,
): Promise<void> => appendAudits(trx, collaborators, [entry]);
