import type { PersonExport } from "@latchkey/contracts";
import { type Kysely, sql } from "kysely";
import { readCursor } from "../database/read-cursor.ts";
import type { ListedAudit } from "./list-queries.ts";
import { atOneMoment } from "./read-chain.ts";

type Row = Omit<ListedAudit, "position" | "hash">;

/** Returns whether the entry's states describe this user. */
const isAbout = (row: Row, userId: string): boolean =>
  (row.subjectKind === "user" && row.subjectId === userId) ||
  [row.before, row.after].some((details) => details?.["userId"] === userId);

/** Removes other users' data: the subjects of this user's actions, and the actors who acted on this user. */
const withoutOthers = (
  row: Row,
  { service, userId }: { service: string; userId: string },
): PersonExport["audit"][number] => {
  const byPerson = row.actorKind === "user" && row.actorId === userId;
  const isOther = (kind: string, id: string | null) => kind === "user" && id !== userId;
  const isTheirs = isAbout(row, userId);
  return {
    service,
    id: row.id,
    occurredAt: row.occurredAt.toISOString(),
    action: row.action,
    outcome: row.outcome,
    byPerson,
    actor: {
      kind: row.actorKind,
      id: isOther(row.actorKind, row.actorId) ? null : row.actorId,
    },
    subject: {
      kind: row.subjectKind,
      id: isOther(row.subjectKind, row.subjectId) ? null : row.subjectId,
    },
    address: byPerson ? row.address : null,
    requestId: byPerson ? row.requestId : null,
    before: isTheirs ? row.before : null,
    after: isTheirs ? row.after : null,
  };
};

/** Reads the entries by and about a user from one log, in order and without other users' data. */
export const readPersonAudit = (
  db: Kysely<any>, // of any service
  of: { service: string; userId: string },
  take: (entry: PersonExport["audit"][number]) => Promise<void>,
): Promise<void> =>
  atOneMoment(db, async (trx) => {
    const query = sql<Row>`
      select id, occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome,
        address, request_id, before, after
      from ${sql.id(of.service, "audit")}
      where actor_id = ${of.userId} or subject_id = ${of.userId}
      order by id`;
    for await (const rows of readCursor(trx, query))
      for (const row of rows) await take(withoutOthers(row, of));
  });
