import type { RefusalReason } from "@latchkey/contracts";
import { createDailyTally } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { addRefusals, addressesMax, type RefusalRow } from "./queries.ts";

/** A refused sign-in of a known user. */
export interface Refusal {
  userId: string;
  ipAddress: string;
  reason: RefusalReason;
}

export interface RefusalTally {
  record(refusal: Refusal): void;
  /** Writes the refusals. If that fails, they are kept for the next time. */
  flush(): Promise<void>;
}

/** Addresses of users that wait to be written. Refusals beyond them are only part of the daily counts. */
const waitingMax = 10_000;

/** Counts refused sign-ins in memory and writes them in batches, so that no answer waits for them. The memory is bounded. */
export const createRefusalTally = ({
  clock,
  db,
}: {
  clock: () => number;
  db: Kysely<Tables>;
}): RefusalTally => {
  let addresses = new Map<string, Set<string>>();
  let waiting = 0;
  const tally = createDailyTally<Refusal, RefusalRow>({
    clock,
    nameOf: ({ userId, ipAddress, reason }) => `${userId} ${reason} ${ipAddress}`,
    newRow: (refusal, day) => {
      const at = new Date(clock());
      return { ...refusal, day, count: 0, firstAt: at, lastAt: at };
    },
    add: (to, from) => {
      to.count += from.count;
      if (from.firstAt < to.firstAt) to.firstAt = from.firstAt;
      if (from.lastAt > to.lastAt) to.lastAt = from.lastAt;
    },
    write: (rows) => addRefusals(db, rows),
  });
  /** Returns the address under which a refusal is counted. Undefined if no memory is left for it. */
  const placeOf = ({ userId, ipAddress }: Refusal): string | undefined => {
    const known = addresses.get(userId) ?? new Set<string>();
    const place = known.has(ipAddress) || known.size < addressesMax ? ipAddress : "";
    if (known.has(place)) return place;
    if (waiting >= waitingMax) return undefined;
    waiting += 1;
    addresses.set(userId, known.add(place));
    return place;
  };
  return {
    record: (refusal) => {
      const ipAddress = placeOf(refusal);
      if (ipAddress === undefined) return;
      const row = tally.rowOf({ ...refusal, ipAddress });
      row.count += 1;
      row.lastAt = new Date(clock());
    },
    flush: async () => {
      await tally.flush();
      addresses = new Map();
      waiting = 0;
    },
  };
};
