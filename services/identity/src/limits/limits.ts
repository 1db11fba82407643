import { WireError } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { LimitObserver } from "./observe-limits.ts";
import { deleteUses, insertUse, readWaitSeconds, type WindowRule } from "./queries.ts";

/** A mail with a link to a mailbox. */
export interface LinkMail {
  email: string;
  /**
   * The count to which the mail belongs. Admins have their own, so that a stranger who uses up the other one cannot keep
   * support from helping. Requests that send no mail count for `nobody`: they do the same work and use up no mailbox's
   * count.
   */
  countsFor: "users" | "admins" | "nobody";
  /** Beyond the limit, `drop` silently sends no mail, and `refuse` throws `TOO_MANY_REQUESTS`. */
  beyond: "drop" | "refuse";
}

/** Limits by mailbox and by user. They are exact across all replicas. */
export interface Limits {
  /** Counts a mail in the transaction that publishes it. Returns false if the mail must not be sent. */
  countLinkMail(trx: Kysely<Tables>, mail: LinkMail): Promise<boolean>;
  /** The same for a mail with a link or a code for a sign-in. All of them share one count by mailbox. */
  countSignInMail(trx: Kysely<Tables>, mail: LinkMail): Promise<boolean>;
  /**
   * Takes one of a user's tries at their own password, before a hash is computed. Throws `TOO_MANY_REQUESTS` when none is
   * left. Returns whether this was the last one.
   */
  takePasswordTry(db: Kysely<Tables>, userId: string): Promise<{ isLast: boolean }>;
  /** Records the outcome of a try. A right password resets the tries. */
  endPasswordTry(db: Kysely<Tables>, userId: string, outcome: "right" | "wrong"): Promise<void>;
  /** Resets a user's tries. */
  resetPasswordTries(db: Kysely<Tables>, userId: string): Promise<void>;
}

interface Needs {
  config: Pick<IdentityConfig, "linkMailLimit" | "signInMailLimit" | "emailAndPassword">;
  ring: SecretRing;
  observer: LimitObserver;
}

export const createLimits = ({ config, ring, observer }: Needs): Limits => {
  const [macKey] = ring.derive("sliding-window");
  /** The table must contain neither addresses nor ids. */
  const keyOf = (kind: string, subject: string) =>
    hmacSha256(macKey, `${kind}:${subject}`, "base64url");
  const tooMany = async (db: Kysely<Tables>, key: string, rule: WindowRule) =>
    new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds: await readWaitSeconds(db, key, rule) });
  const passwordKey = (userId: string) => keyOf("password", userId);
  const resetPasswordTries: Limits["resetPasswordTries"] = (db, userId) =>
    deleteUses(db, passwordKey(userId));

  const countMail = async (
    trx: Kysely<Tables>,
    { email, countsFor, beyond }: LinkMail,
    { kind, rule, record }: { kind: string; rule: WindowRule; record: LimitObserver["recordMail"] },
  ): Promise<boolean> => {
    const key = keyOf(`${kind}-${countsFor}`, email);
    const isWithin = (await insertUse(trx, key, rule)) !== undefined;
    if (countsFor !== "nobody") {
      const refused = beyond === "drop" ? "dropped" : "refused";
      record(isWithin ? "sent" : refused);
    }
    if (!isWithin && beyond === "refuse") throw await tooMany(trx, key, rule);
    return isWithin;
  };

  return {
    countLinkMail: async (trx, mail) => {
      const { linkMailLimit: rule } = config;
      return !rule || countMail(trx, mail, { kind: "mail", rule, record: observer.recordMail });
    },
    countSignInMail: async (trx, mail) => {
      const { signInMailLimit: rule } = config;
      const record = observer.recordSignInMail;
      return !rule || countMail(trx, mail, { kind: "sign-in-mail", rule, record });
    },
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
  };
};
