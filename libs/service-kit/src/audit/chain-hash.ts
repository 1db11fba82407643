import { createHash } from "node:crypto";

/** An audit row as texts that lose nothing of it. */
export interface AuditText {
  id: number;
  /** ISO 8601 in UTC, to the millisecond; to the microsecond where it is between two. */
  occurredAt: string;
  actorKind: string;
  actorId: string | null;
  subjectKind: string;
  subjectId: string;
  action: string;
  outcome: string;
  address: string;
  requestId: string;
  /** As Postgres writes a `jsonb`. */
  before: string | null;
  after: string | null;
}

/**
 * The one text of a row that is hashed, JSON of an object. What it was and what it became stand in it as Postgres writes them, so
 * that no number is rounded and no nesting is too deep; a row without one has no such member.
 */
export const canonicalEntry = (row: AuditText): string => {
  const { id, occurredAt, actorKind, actorId, subjectKind, subjectId } = row;
  const { action, outcome, address, requestId, before, after } = row;
  const who = { id, occurredAt, actorKind, actorId, subjectKind, subjectId };
  const members = JSON.stringify({ ...who, action, outcome, address, requestId });
  const states = [
    before === null ? "" : `,"before":${before}`,
    after === null ? "" : `,"after":${after}`,
  ];
  return `${members.slice(0, -1)}${states.join("")}}`;
};

/** Whether the text of an entry is of the row with this id. */
export const isOfRow = (entry: string, id: number): boolean => entry.startsWith(`{"id":${id},`);

/** What stands for the hash before the first entry. */
export const firstHash: Buffer = Buffer.alloc(32);

/** The hash of a chain that goes on with an entry: SHA-256 over the hash up to there and the entry's text. */
export const nextHash = (previous: Buffer, entry: string): Buffer =>
  createHash("sha256").update(previous).update(entry, "utf8").digest();
