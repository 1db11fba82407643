import { createHash } from "node:crypto";

/** An audit row in a lossless text form. */
export interface AuditText {
  id: number;
  /** ISO 8601 in UTC with milliseconds, or with microseconds if the time is not a whole number of milliseconds. */
  occurredAt: string;
  actorKind: string;
  actorId: string | null;
  subjectKind: string;
  subjectId: string;
  action: string;
  outcome: string;
  address: string;
  requestId: string;
  /** The text form that Postgres gives a `jsonb`. */
  before: string | null;
  after: string | null;
}

/**
 * Returns the canonical JSON text of a row, which is the input of the hash. `before` and `after` keep Postgres's own text, so
 * that no number is rounded and deep nesting does not fail. A row without a state lacks that member.
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

/** Returns whether the text belongs to the row with this id. */
export const isOfRow = (entry: string, id: number): boolean => entry.startsWith(`{"id":${id},`);

/** The previous hash of the first entry: 32 zero bytes. */
export const firstHash: Buffer = Buffer.alloc(32);

/** Returns the chain's next hash: SHA-256 over the previous hash and the entry's text. */
export const nextHash = (previous: Buffer, entry: string): Buffer =>
  createHash("sha256").update(previous).update(entry, "utf8").digest();
