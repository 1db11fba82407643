import type { Caller } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { EpochRecords } from "./epoch-records.ts";
import { publishEpoch, updateEpoch } from "./queries.ts";

interface Needs {
  clock: () => number;
  epochRecords: EpochRecords;
}

export interface EpochOf {
  userId: string;
  caller: Caller | undefined;
  /** The revision of the row, if that was incremented already. */
  revision?: number;
}

/** Invalidates a user's cached sessions, in the given transaction. */
export const advanceEpoch = async (
  { clock, epochRecords }: Needs,
  trx: Kysely<Tables>,
  { userId, caller, revision }: EpochOf,
): Promise<void> => {
  const now = new Date(clock());
  if (revision !== undefined) await publishEpoch(trx, { userId, epoch: revision, now });
  const epoch = revision ?? (await updateEpoch(trx, userId, now));
  if (caller) epochRecords.note(caller, userId, epoch);
};
