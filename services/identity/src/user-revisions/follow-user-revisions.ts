import { WireError } from "@latchkey/contracts";
import { inBatches, isUnreadableText } from "@latchkey/service-kit/database";
import type { Deps, Handler } from "../deps.ts";
import { deleteOldRevisions, listRevisions } from "./queries.ts";
import type { IdentityConfig } from "../config.ts";

/** Tolerance for clock differences between services and for the age of a reply when it becomes a cookie. */
const marginMilliseconds = 120_000;

/** Returns the longest time for which a cached session can exist. */
const cachedSessionMilliseconds = ({ session }: Pick<IdentityConfig, "session">): number =>
  session.cookieCache.maxAge * 1000 + marginMilliseconds;

/** How long a reply waits for a change, in milliseconds. A follower that receives nothing for longer is cut off. */
const waitMilliseconds = 1_000;

/** Returns the first transaction after a position. */
const nextTransaction = (position: string): bigint => BigInt(position.split(":")[1] ?? "");

/** Detects a server that was promoted without the last transactions of its predecessor. It assigns their numbers again. */
const isRewound = (from: string, to: string): boolean =>
  nextTransaction(to) < nextTransaction(from);

/**
 * Returns the user revisions that changed after a position, as soon as there is one or after a timeout. Without a
 * position, returns those of all cached sessions that may still exist.
 */
export const followUserRevisions: Handler<"followUserRevisions"> = async (
  deps,
  { body: { after } },
) => {
  const since = new Date(deps.clock() - cachedSessionMilliseconds(deps.config));
  if (after === null) return { reply: await listRevisions(deps.db, { since }) };
  // Starts to wait before the query, so that a commit in between is not missed.
  const notified = deps.revisionSignal.next(waitMilliseconds);
  const changes = await listRevisions(deps.db, { after }).catch((error: unknown) => {
    if (!isUnreadableText(error)) throw error;
    const issues = [{ path: "after", message: "is no position" }];
    throw new WireError("VALIDATION_ERROR", { issues });
  });
  if (isRewound(after, changes.position)) return { reply: await listRevisions(deps.db, { since }) };
  if (changes.epochs.length > 0 || !(await notified)) return { reply: changes };
  return { reply: await listRevisions(deps.db, { after }) };
};

const batchSize = 1_000;

/** Deletes the revisions that no cached session can be older than. Returns the number. */
export const sweepRevisions = (deps: Pick<Deps, "clock" | "config" | "db">): Promise<number> => {
  const before = new Date(deps.clock() - cachedSessionMilliseconds(deps.config));
  return inBatches(batchSize, (limit) => deleteOldRevisions(deps.db, before, limit));
};
