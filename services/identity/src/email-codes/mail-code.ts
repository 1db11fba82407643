import type { Caller, EventData } from "@latchkey/contracts";
import { seal } from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { CountedMail } from "../limits/limits.ts";
import { guessKey, guessLimit } from "./examine-code.ts";
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

interface IssuedCode extends CodeRequest {
  /** False if nothing may be sent. The work and the later answers are the same. */
  isDue: boolean;
  /** Whether the limits on messages admit another one. */
  isWithin: boolean;
  isOfHolder: boolean;
  /** Returns the event that has the code sent. */
  eventOf: (code: string, expiresAt: string) => CodeEvent;
}

type CodeEvent = {
  [Name in "email-code.requested" | "phone-code.requested"]: { name: Name; data: EventData<Name> };
}["email-code.requested" | "phone-code.requested"];

/**
 * Stores a code and publishes the event that has it sent. Does the same work, and stores a row that no code matches, if nothing may be sent
 * or too many wrong codes were tried. Stores nothing if too many browsers wait for a code, whether known or not. Returns whether the code
 * is sent.
 */
export const issueCode = async (
  deps: ProposeCodeNeeds,
  trx: Kysely<Tables>,
  { isDue, isWithin, isOfHolder, eventOf, ...request }: IssuedCode,
): Promise<boolean> => {
  const { subject } = request;
  const { code, expiresAt, keep, hasRoom, imitate } = proposeCode(deps, request);
  const key = guessKey(deps, { subject, isOfHolder });
  const isStorable = await hasRoom(trx);
  const isOpen = (await hasGuess(trx, key, guessLimit(deps, subject))) && isWithin && isStorable;
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
  return isSent;
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
  const { email, userId, subject, userName: name, isDue, actor, caller } = mail;
  const { beyond = "drop", counts = "sign-ins", isOfHolder = false } = mail;
  const owner = isOfHolder ? "holders" : "users";
  const counted: CountedMail = { email, countsFor: isDue ? owner : "nobody", beyond };
  const isWithin = await (counts === "links"
    ? deps.limits.countLinkMail(trx, counted)
    : deps.limits.countSignInMail(trx, counted));
  const language = await mailLocaleOf(trx, { userId, caller });
  const { purpose } = subject;
  const isMailed = await issueCode(deps, trx, {
    ...mail,
    isWithin,
    isOfHolder,
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
