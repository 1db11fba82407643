import type { Caller, KeptChanges } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { inBatches } from "@latchkey/service-kit/database";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Deps } from "../deps.ts";
import { mailLocaleOf } from "../users/email.ts";
import { lockUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { deleteBrowsersBefore, seeBrowser } from "../rows/known-browsers.ts";

const valueLength = 32;
/** Browsers keep no cookie longer. */
const lifetimeSeconds = 400 * 24 * 60 * 60;
/** A program that signs in without cookies is a new browser each time. */
const mailsPerDayMax = 5;

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

/**
 * Records the browser of a sign-in, and mails the user if they have not signed in in it before. The first sign-in of a user is not mailed.
 * Returns what the browser keeps, so that it is known from now on. It grants nothing. Does nothing unless the option is on.
 */
export const rememberSignInBrowser = async (
  deps: Needs,
  { user, caller }: { user: UserRow; caller: Caller },
): Promise<KeptChanges | undefined> => {
  if (!deps.config.session.mailNewBrowsers) return undefined;
  const value = caller.kept?.knownBrowser ?? randomToken(valueLength, "urlSafe");
  const seen = { userId: user.id, browserHash: hashToken(value), now: new Date(deps.clock()) };
  const isMailed = await deps.db.transaction().execute(async (trx) => {
    // The lock makes the limit exact for concurrent sign-ins. A user who was just deleted has no row.
    if (!(await lockUser(trx, user.id))) return false;
    const { isKnown, hasSignedIn, addedLately } = await seeBrowser(trx, seen);
    if (isKnown || !hasSignedIn || !user.emailVerified || addedLately >= mailsPerDayMax)
      return false;
    const { id: userId, email, name } = user;
    const { address, userAgent } = caller;
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, address, userAgent, ...language };
    await appendEvent(trx, deps, { name: "browser.added", data });
    return true;
  });
  if (isMailed) deps.wakeRelay();
  return { knownBrowser: { value, maxAgeSeconds: lifetimeSeconds } };
};

/** Deletes browsers whose cookie has expired. Returns the number. */
export const sweepKnownBrowsers = ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = new Date(clock() - lifetimeSeconds * 1000);
  return inBatches(1_000, (limit) => deleteBrowsersBefore(db, before, limit));
};
