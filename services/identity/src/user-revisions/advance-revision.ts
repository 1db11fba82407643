import type { Caller } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { RevisionRecords } from "./revision-records.ts";
import { publishRevision, updateRevision } from "./queries.ts";

interface Needs {
  clock: () => number;
  revisionRecords: RevisionRecords;
}

export interface RevisionOf {
  userId: string;
  caller: Caller | undefined;
  /** The revision of the row, if that was incremented already. */
  revision?: number;
}

/** Invalidates a user's cached sessions, in the given transaction. */
export const advanceRevision = async (
  { clock, revisionRecords }: Needs,
  trx: Kysely<Tables>,
  { userId, caller, revision }: RevisionOf,
): Promise<void> => {
  const now = new Date(clock());
  if (revision !== undefined) await publishRevision(trx, { userId, epoch: revision, now });
  const epoch = revision ?? (await updateRevision(trx, userId, now));
  if (caller) revisionRecords.note(caller, userId, epoch);
};
