import type { Caller, FactName } from "@latchkey/contracts";
import type { Insertable, Kysely } from "kysely";
import { compileOnce, pickSlots, type Slots } from "../database/compile-once.ts";
import type { AuditTable, KitTables } from "../database/kit-tables.ts";

/**
 * One state change: actor, action and subject. `before` and `after` hold the changed fields, never a secret. The key
 * `viaApiKey` in `after` is reserved.
 */
export interface AuditEntry {
  actor: { kind: "user" | "service" | "system" | "anonymous"; id?: string };
  subject: { kind: string; id: string };
  action: FactName;
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

/** An audit row to insert. Postgres sets the id. */
export type AuditRow = Required<Omit<Insertable<AuditTable>, "id">>;

/** Returns the row of an entry, for a statement that writes it together with the change. */
export const auditRow = ({ clock }: { clock: () => number }, entry: AuditEntry): AuditRow => ({
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

/** The columns that an insert sets, in a fixed order. */
export const auditNames = [
  "occurredAt",
  "actorKind",
  "actorId",
  "subjectKind",
  "subjectId",
  "action",
  "outcome",
  "address",
  "requestId",
  "before",
  "after",
] as const satisfies (keyof AuditRow)[];

const insertAudit = compileOnce((db: Kysely<KitTables>, slots: Slots<AuditRow>) =>
  db.insertInto("audit").values(pickSlots(slots, auditNames)),
);

/** Writes audit rows in the transaction of the changes that they record. */
export const appendAudits = async <Tables extends KitTables>(
  trx: Kysely<Tables>,
  collaborators: { clock: () => number },
  entries: readonly AuditEntry[],
): Promise<void> => {
  const db = trx as unknown as Kysely<KitTables>; // a service's tables extend these
  const rows = entries.map((entry) => auditRow(collaborators, entry));
  const [only] = rows;
  if (only && rows.length === 1) await insertAudit.rows(db, only);
  else if (only) await db.insertInto("audit").values(rows).execute();
};

/** Writes an audit row in the transaction of the change that it records. */
export const appendAudit = <Tables extends KitTables>(
  trx: Kysely<Tables>,
  collaborators: { clock: () => number },
  entry: AuditEntry,
): Promise<void> => appendAudits(trx, collaborators, [entry]);
