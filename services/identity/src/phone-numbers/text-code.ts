import type { Caller } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { issueCode } from "../email-codes/mail-code.ts";
import {
  type ProposeCodeNeeds,
  rememberCodeBrowser,
  type TextedPurpose,
} from "../email-codes/mailed-code.ts";
import { holdsPower } from "../users/admin-rights.ts";
import { addressSubject, mailLocaleOf } from "../users/email.ts";
import { isBanned, type UserRow } from "../users/user-row.ts";
import type { PhoneNumber } from "./read-number.ts";
import { type CountedText, takeBudgets } from "./text-budget.ts";

export type TextCodeNeeds = ProposeCodeNeeds &
  Pick<Deps, "db" | "logger" | "textObserver" | "wakeRelay">;

/** Returns whether codes by text message sign a user in, and choose a password: not while banned, and not users with permissions. */
export const mayUseCodes = (deps: Pick<Deps, "clock" | "config">, user: UserRow): boolean =>
  !isBanned(user, deps.clock()) && !holdsPower(deps, user);

interface TextedCode {
  to: PhoneNumber;
  purpose: TextedPurpose;
  /** The user whom the number belongs to, or who takes it. */
  userId?: string | undefined;
  /** The browser has entered the password of this user. */
  byUser?: boolean;
  /** False if nothing may be sent. The work and the later answers are the same. */
  isDue: boolean;
  requestedBy: CountedText["requestedBy"];
  /** The user in whose session the code is requested. */
  guesserId?: string | undefined;
  actor: AuditEntry["actor"];
  caller: Caller;
}

/** Asks the application's function about every number, known or not, so that its time does not tell them apart. A failure sends nothing. */
const isAllowed = async ({ config, logger }: TextCodeNeeds, { number }: PhoneNumber) => {
  try {
    return (await config.phoneNumber.allowsText?.({ phoneNumber: number })) ?? true;
  } catch (error) {
    logger.error({ err: error }, "phoneNumber.allowsText failed, sent no text message");
    return false;
  }
};

const issue = async (
  deps: TextCodeNeeds,
  trx: Kysely<Tables>,
  { browser, ...text }: TextedCode & { browser: string },
): Promise<void> => {
  const { to, purpose, userId, byUser, isDue, requestedBy, guesserId, actor, caller } = text;
  const language = await mailLocaleOf(trx, { userId, caller });
  const outcome = await issueCode(deps, trx, {
    subject: { purpose, name: to.number },
    browser,
    userId,
    byUser,
    isDue,
    guesserId,
    countMessage: (maySend) =>
      takeBudgets(deps, trx, { to, address: caller.address, requestedBy, isDue: maySend }),
    eventOf: (code, expiresAt) => ({
      name: "phone-code.requested",
      data: {
        ...(userId === undefined ? {} : { userId }),
        phoneNumber: to.number,
        code,
        expiresAt,
        purpose,
        ...language,
      },
    }),
  });
  const isSent = outcome === "sent";
  if (isDue) deps.textObserver.record(outcome === "sent" ? "requested" : outcome);
  await appendAudit(trx, deps, {
    actor,
    subject:
      userId === undefined ? addressSubject(deps.ring, to.number) : { kind: "user", id: userId },
    action: isSent ? "phone-code.requested" : "phone-code.refused",
    outcome: isSent ? "success" : "refused",
    caller,
    after: { purpose },
  });
};

/**
 * Stores a code and has it sent by an event. Does the same work, and stores a row that no code matches, if nothing may be sent or a budget
 * is used up. Returns the effect by which the browser keeps that it has requested the code.
 */
export const textCode = async (deps: TextCodeNeeds, text: TextedCode) => {
  const isDue = (await isAllowed(deps, text.to)) && text.isDue;
  const { browser, effect } = rememberCodeBrowser(deps, text.caller, text.purpose);
  await deps.db.transaction().execute((trx) => issue(deps, trx, { ...text, isDue, browser }));
  deps.wakeRelay();
  return effect;
};
