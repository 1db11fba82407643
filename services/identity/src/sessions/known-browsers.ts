import type { Caller, KeptChanges } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { inBatches } from "@latchkey/service-kit/database";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Deps } from "../deps.ts";
import { mailLocaleOf } from "../users/email.ts";
import { lockUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { replaceSlot, slotValuesOf } from "./browser-slots.ts";
import { deleteBrowsersBefore, seeBrowser } from "../rows/known-browsers.ts";

const valueLength = 32;
/** Browsers keep no cookie longer. */
const lifetimeSeconds = 400 * 24 * 60 * 60;

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

interface SignIn {
  user: UserRow;
  caller: Caller;
  remember: boolean;
}

/**
 * Records the browser of a sign-in of a user with a proven address, and mails the user if they have not signed in in it before. The first
 * sign-in is not mailed. Returns what the browser keeps, so that it is known from now on. It grants nothing. A browser that does not remember
 * the session keeps nothing, and its row only counts towards the limit of mails. Does nothing unless the option is on.
 */
export const rememberSignInBrowser = async (
  deps: Needs,
  { user, caller, remember }: SignIn,
): Promise<KeptChanges | undefined> => {
  if (!deps.config.session.mailNewBrowsers) return undefined;
  const { id: userId, email, name } = user;
  const slot = { name: "knownBrowser", userId, caller } as const;
  const [slotValue] = slotValuesOf(slot);
  const nextValue = randomToken(valueLength, "urlSafe");
  const hashes = {
    knownHash: slotValue ? hashToken(slotValue) : undefined,
    nextHash: hashToken(nextValue),
  };
  const outcome = await deps.db.transaction().execute(async (trx) => {
    const current = await lockUser(trx, userId);
    // A stranger who signs up with an address must not be known once its holder proves it. A deleted user has no row.
    if (!current?.emailVerified || current.email !== email) return "ignored";
    const seen = await seeBrowser(trx, { ...hashes, userId, now: new Date(deps.clock()) });
    if (seen !== "new") return seen;
    const { address, userAgent } = caller;
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, address, userAgent, ...language };
    await appendEvent(trx, deps, { name: "browser.added", data });
    return seen;
  });
  if (outcome === "new") deps.wakeRelay();
  if (outcome === "ignored" || !remember) return undefined;
  const value = replaceSlot(slot, {
    value: outcome === "known" && slotValue ? slotValue : nextValue,
  });
  return value === null ? undefined : { knownBrowser: { value, maxAgeSeconds: lifetimeSeconds } };
};

/** Deletes browsers whose cookie has expired. Returns the number. */
export const sweepKnownBrowsers = ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = new Date(clock() - lifetimeSeconds * 1000);
  return inBatches(1_000, (limit) => deleteBrowsersBefore(db, before, limit));
};
