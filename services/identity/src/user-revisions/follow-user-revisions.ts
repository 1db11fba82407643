import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isUnreadableText } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { cachedSessionMilliseconds } from "./cached-session-milliseconds.ts";
import { listRevisions } from "./queries.ts";

type FollowUserRevisions = typeof operations.identity.followUserRevisions;

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
export const followUserRevisions = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "revisionSignal">,
  { body: { after } }: Call<FollowUserRevisions>,
): Promise<Answer<OperationReply<FollowUserRevisions>>> => {
  const since = new Date(deps.clock() - cachedSessionMilliseconds(deps.config));
  if (after === null) return { reply: await listRevisions(deps.db, { since }) };
  // Starts to wait before the query, so that a commit in between is not missed.
  const told = deps.revisionSignal.next(waitMilliseconds);
  const changes = await listRevisions(deps.db, { after }).catch((error: unknown) => {
    if (!isUnreadableText(error)) throw error;
    const issues = [{ path: "after", message: "is no position" }];
    throw new WireError("VALIDATION_ERROR", { issues });
  });
  if (isRewound(after, changes.position)) return { reply: await listRevisions(deps.db, { since }) };
  if (changes.epochs.length > 0 || !(await told)) return { reply: changes };
  return { reply: await listRevisions(deps.db, { after }) };
};
