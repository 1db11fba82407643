import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type LastSignIn, upsertLastSignIns } from "./queries.ts";

/** Keeps the last sign-in of each user in memory and writes them in batches, so that no sign-in waits for it. */
export const createLastSignInTally = ({
  clock,
  db,
}: {
  clock: () => number;
  db: Kysely<Tables>;
}): { record: (signIn: Omit<LastSignIn, "signedInAt">) => void; flush: () => Promise<void> } => {
  let waiting = new Map<string, LastSignIn>();
  return {
    record: (signIn) => {
      waiting.set(signIn.userId, { ...signIn, signedInAt: new Date(clock()) });
    },
    flush: async () => {
      if (waiting.size === 0) return;
      const written = waiting;
      waiting = new Map();
      try {
        await upsertLastSignIns(db, [...written.values()]);
      } catch (error) {
        for (const [userId, row] of written) if (!waiting.has(userId)) waiting.set(userId, row);
        throw error;
      }
    },
  };
};
