import { WireError } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import { inBatches } from "@latchkey/service-kit/database";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { LimitObserver } from "./observe-limits.ts";
import {
  deletePassedWindows,
  deleteUses,
  insertUse,
  readFullUntil,
  readWaitSeconds,
  type WindowRule,
} from "./queries.ts";

/** A limited mail to a mailbox. */
export interface CountedMail {
  email: string;
  /**
   * The count to which the mail belongs. Anonymous requests count for `users`. Mails to the address of a user who requests them in a
   * session, or after a first factor, count for `holders`, so that no stranger can use up that count. Admins have their own, so that
   * support can help. Requests that send no mail count for `nobody`: they do the same work and use up no mailbox's count.
   */
  countsFor: "users" | "holders" | "admins" | "nobody";
  /** Beyond the limit, `drop` silently sends no mail, and `refuse` throws `TOO_MANY_REQUESTS`. */
  beyond: "drop" | "refuse";
}

/** Limits by mailbox and by user. They are exact across all replicas. */
export interface Limits {
  /** Counts a mail with a link, in the transaction that publishes it. Returns false if the mail must not be sent. */
  countLinkMail(trx: Kysely<Tables>, mail: CountedMail): Promise<boolean>;
  /** Counts a mail for a sign-in in the same way: a link, a code, or a code as a second factor. They share one count. */
  countSignInMail(trx: Kysely<Tables>, mail: CountedMail): Promise<boolean>;
  /** Returns when the next mail with a link or a code may be sent to a mailbox. Undefined if it may be sent now. */
  readMailLimit(db: Kysely<Tables>, email: string): Promise<Date | undefined>;
  /**
   * Counts a code for a change of a user's address, by the same rule as mails for sign-ins. Throws `TOO_MANY_REQUESTS` beyond the limit,
   * whichever addresses the user has asked for.
   */
  countAddressCode(trx: Kysely<Tables>, userId: string): Promise<void>;
  /**
   * Takes one of a user's tries at their own password, before a hash is computed. Throws `TOO_MANY_REQUESTS` when none is
   * left. Returns whether this was the last one.
   */
  takePasswordTry(db: Kysely<Tables>, userId: string): Promise<{ isLast: boolean }>;
  /** Records the outcome of a try. A right password resets the tries. */
  endPasswordTry(db: Kysely<Tables>, userId: string, outcome: "right" | "wrong"): Promise<void>;
  /** Resets a user's tries. */
  resetPasswordTries(db: Kysely<Tables>, userId: string): Promise<void>;
  /**
   * Takes one of the `max` free slots of a browser, which is known by the sessions that it sends. Returns its number from 1, or undefined if
   * concurrent sign-ins have taken all.
   */
  takeSlot(db: Kysely<Tables>, browser: string, max: number): Promise<number | undefined>;
  /** Gives the slots of a browser back. */
  releaseSlots(db: Kysely<Tables>, browser: string): Promise<void>;
}

interface Needs {
  config: Pick<IdentityConfig, "linkMailLimit" | "signInMailLimit" | "emailAndPassword">;
  ring: SecretRing;
  observer: LimitObserver;
}

/** Longer than sign-ins that a browser sends at the same time take. A later one sends the cookie of the earlier one. */
const slotSeconds = 10;

type KeyOf = (kind: string, subject: string) => string;

/** Creates the function that returns when each count of a mailbox admits the next mail. */
const createMailLimitReader =
  ({ linkMailLimit, signInMailLimit }: Needs["config"], keyOf: KeyOf): Limits["readMailLimit"] =>
  async (db, email) => {
    const rules = [
      { kind: "mail", rule: linkMailLimit },
      { kind: "sign-in-mail", rule: signInMailLimit },
    ].flatMap(({ kind, rule }) =>
      rule ? ["users", "holders"].map((countsFor) => ({ kind: `${kind}-${countsFor}`, rule })) : [],
    );
    const limited = await Promise.all(
      rules.map(({ kind, rule }) => readFullUntil(db, keyOf(kind, email), rule)),
    );
    return limited
      .filter((until) => until !== undefined)
      .toSorted((one, other) => other.getTime() - one.getTime())[0];
  };

export const createLimits = ({ config, ring, observer }: Needs): Limits => {
  const [macKey] = ring.derive("sliding-window");
  /** The table must contain neither addresses nor ids. */
  const keyOf: KeyOf = (kind, subject) => hmacSha256(macKey, `${kind}:${subject}`, "base64url");
  const tooMany = async (db: Kysely<Tables>, key: string, rule: WindowRule) =>
    new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds: await readWaitSeconds(db, key, rule) });
  const countMail = async (
    trx: Kysely<Tables>,
    { email, countsFor, beyond }: CountedMail,
    { rule, kind, of }: { rule: WindowRule | undefined; kind: string; of: "link" | "sign-in" },
  ): Promise<boolean> => {
    if (!rule) return true;
    const key = keyOf(`${kind}-${countsFor}`, email);
    const isWithin = (await insertUse(trx, key, rule)) !== undefined;
    if (countsFor !== "nobody") {
      const refused = beyond === "drop" ? "dropped" : "refused";
      observer.recordMail(of, isWithin ? "sent" : refused);
    }
    if (!isWithin && beyond === "refuse") throw await tooMany(trx, key, rule);
    return isWithin;
  };
  const passwordKey = (userId: string) => keyOf("password", userId);
  const resetPasswordTries: Limits["resetPasswordTries"] = (db, userId) =>
    deleteUses(db, passwordKey(userId));

  return {
    countLinkMail: (trx, mail) =>
      countMail(trx, mail, { rule: config.linkMailLimit, kind: "mail", of: "link" }),
    countSignInMail: (trx, mail) =>
      countMail(trx, mail, { rule: config.signInMailLimit, kind: "sign-in-mail", of: "sign-in" }),
    countAddressCode: async (trx, userId) => {
      const rule = config.signInMailLimit;
      if (!rule) return;
      const key = keyOf("address-code", userId);
      if ((await insertUse(trx, key, rule)) === undefined) throw await tooMany(trx, key, rule);
    },
    readMailLimit: createMailLimitReader(config, keyOf),
    takePasswordTry: async (db, userId) => {
      const rule = config.emailAndPassword.passwordTries;
      const key = passwordKey(userId);
      const useCount = await insertUse(db, key, rule);
      if (useCount !== undefined) return { isLast: useCount === rule.max };
      observer.recordPasswordTry("refused");
      throw await tooMany(db, key, rule);
    },
    endPasswordTry: async (db, userId, outcome) => {
      observer.recordPasswordTry(outcome);
      if (outcome === "right") await resetPasswordTries(db, userId);
    },
    resetPasswordTries,
    takeSlot: (db, browser, max) =>
      insertUse(db, keyOf("device-slot", browser), { window: slotSeconds, max }),
    releaseSlots: (db, browser) => deleteUses(db, keyOf("device-slot", browser)),
  };
};

const batchSize = 1_000;

/** Deletes the passed windows of limits. Returns the number. */
export const sweepWindows = ({ db }: { db: Kysely<Tables> }): Promise<number> =>
  inBatches(batchSize, (limit) => deletePassedWindows(db, limit));
