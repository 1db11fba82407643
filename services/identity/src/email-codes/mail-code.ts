import type { Caller, EventData } from "@latchkey/contracts";
import { seal } from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { CountedMail } from "../limits/limits.ts";
import { type Guesser, guessKey, guessLimit } from "./examine-code.ts";
import {
  type CodeRequest,
  type CodeSubject,
  type MailedPurpose,
  proposeCode,
  type ProposeCodeNeeds,
} from "./mailed-code.ts";
import { deleteCode, hasGuess } from "./queries.ts";
import { mailLocaleOf, addressSubject } from "../users/email.ts";

export type MailCodeNeeds = ProposeCodeNeeds & Pick<Deps, "limits">;

export interface CodeMail extends CodeRequest {
  email: string;
  subject: CodeSubject & { purpose: MailedPurpose };
  /** The name of a known user, else empty. */
  userName: string;
  /** False if the address must not be mailed. The work and the later answers are the same. */
  isDue: boolean;
  /** The user requests it for their own address, in a session. Mails and guesses of strangers then do not count. */
  isOfHolder?: boolean;
  /** Default: drops the mail when the mailbox is over its limit. Only for addresses of which the caller knows whether they are due. */
  beyond?: CountedMail["beyond"];
  /** Default: the mails for sign-ins share one count. */
  counts?: "sign-ins" | "links";
  actor: AuditEntry["actor"];
  caller: Caller;
}

interface IssuedCode<Limit extends string> extends CodeRequest, Guesser {
  /** False if nothing may be sent. The work and the later answers are the same. */
  isDue: boolean;
  /** Counts a message that may be sent, and does the same work for any other. Returns the limit on messages that is used up. */
  countMessage: (maySend: boolean) => Promise<Limit | undefined>;
  /** Returns the event that has the code sent. */
  eventOf: (code: string, expiresAt: string) => CodeEvent;
}

type CodeEvent = {
  [Name in "email-code.requested" | "phone-code.requested"]: { name: Name; data: EventData<Name> };
}["email-code.requested" | "phone-code.requested"];

/**
 * Stores a code and publishes the event that has it sent. Does the same work, and stores a row that no code matches, if nothing may be sent
 * or too many wrong codes were tried. Stores nothing if too many browsers wait for a code, whether known or not. Returns why nothing is
 * sent. A message that is not sent uses up no limit.
 */
export const issueCode = async <Limit extends string>(
  deps: ProposeCodeNeeds,
  trx: Kysely<Tables>,
  { isDue, countMessage, isOfHolder, guesserId, eventOf, ...request }: IssuedCode<Limit>,
): Promise<Limit | "refused" | "sent"> => {
  const { subject } = request;
  const { code, expiresAt, keep, hasRoom, imitate } = proposeCode(deps, request);
  const key = guessKey(deps, { subject, isOfHolder, guesserId });
  const isStorable = await hasRoom(trx);
  const isUsable = (await hasGuess(trx, key, guessLimit(deps, subject))) && isStorable;
  const usedUp = await countMessage(isDue && isUsable);
  const isOpen = isUsable && usedUp === undefined;
  const isSent = isDue && isOpen;
  const event = eventOf(code, expiresAt.toISOString());
  if (isSent) {
    await keep(trx);
    await appendEvent(trx, deps, event);
  } else {
    if (isStorable) await imitate(trx, { replaces: isOpen });
    seal(deps.ring, "event", JSON.stringify(event.data));
    await deleteCode(trx, deps.newEventId()); // deletes nothing, in the place of the insert of the event
  }
  if (isSent) return "sent";
  return (isDue && isUsable && usedUp) || "refused";
};

/**
 * Stores a code and mails it by an event. Does the same work if the address must not be mailed or its mailbox is over the limit. Wake the
 * relay after the commit. Returns whether a mail is sent.
 */
export const mailCode = async (
  deps: MailCodeNeeds,
  trx: Kysely<Tables>,
  mail: CodeMail,
): Promise<boolean> => {
  const { email, userId, subject, userName: name, actor, caller } = mail;
  const { beyond = "drop", counts = "sign-ins", isOfHolder = false } = mail;
  const countMessage = async (maySend: boolean) => {
    const owner = isOfHolder ? "holders" : "users";
    const counted: CountedMail = { email, countsFor: maySend ? owner : "nobody", beyond };
    const isWithin = await (counts === "links"
      ? deps.limits.countLinkMail(trx, counted)
      : deps.limits.countSignInMail(trx, counted));
    return isWithin ? undefined : "mailbox";
  };
  const language = await mailLocaleOf(trx, { userId, caller });
  const { purpose } = subject;
  const outcome = await issueCode(deps, trx, {
    ...mail,
    countMessage,
    eventOf: (code, expiresAt) => ({
      name: "email-code.requested",
      data: {
        ...(userId === undefined ? {} : { userId }),
        email,
        name,
        code,
        expiresAt,
        purpose,
        ...language,
      },
    }),
  });
  const isMailed = outcome === "sent";
  await appendAudit(trx, deps, {
    actor,
    subject: userId === undefined ? addressSubject(deps.ring, email) : { kind: "user", id: userId },
    action: isMailed ? "email-code.requested" : "email-code.refused",
    outcome: isMailed ? "success" : "refused",
    caller,
    after: { purpose },
  });
  return isMailed;
};
