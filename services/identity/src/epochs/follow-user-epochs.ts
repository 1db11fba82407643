import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isUnreadableText } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { cachedSessionMilliseconds } from "./cached-session-milliseconds.ts";
import { listEpochs } from "./queries.ts";

type FollowUserEpochs = typeof operations.identity.followUserEpochs;

/** How long an answer waits for something to tell; a follower that hears nothing for longer knows that it is cut off. */
const waitMilliseconds = 1_000;

/** The first transaction that was still to come at a position. */
const nextTransaction = (position: string): bigint => BigInt(position.split(":")[1] ?? "");

/** Of a server that took over without the last transactions of the one before: it will give their numbers again. */
const isRewound = (from: string, to: string): boolean =>
  nextTransaction(to) < nextTransaction(from);

/**
 * The epochs that changed from a position on, as soon as there is one, or after a moment. Without a position those of all
 * cached sessions that may still be about.
 */
export const followUserEpochs = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "epochSignal">,
  { body: { after } }: Call<FollowUserEpochs>,
): Promise<Answer<OperationReply<FollowUserEpochs>>> => {
  const since = new Date(deps.clock() - cachedSessionMilliseconds(deps.config));
  if (after === null) return { reply: await listEpochs(deps.db, { since }) };
  // Listening begins before the look, so that what commits in between is not slept through.
  const told = deps.epochSignal.next(waitMilliseconds);
  const changes = await listEpochs(deps.db, { after }).catch((error: unknown) => {
    if (!isUnreadableText(error)) throw error;
    const issues = [{ path: "after", message: "is no position" }];
    throw new WireError("VALIDATION_ERROR", { issues });
  });
  if (isRewound(after, changes.position)) return { reply: await listEpochs(deps.db, { since }) };
  if (changes.epochs.length > 0 || !(await told)) return { reply: changes };
  return { reply: await listEpochs(deps.db, { after }) };
};
