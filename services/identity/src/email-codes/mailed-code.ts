import { randomInt } from "node:crypto";
import { randomToken, seal } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { browserMacs, type CodeSubject, codeMacs, subjectsOf } from "./code-subject.ts";
import { hasRoomForCode, insertCode } from "./queries.ts";

export type ProposeCodeNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** The purpose under which the content of a row is sealed. */
export const codePurpose = "mailed code content";

/** How a code was requested, which is stored sealed. */
export interface CodeOrigin {
  /** The address that the code was mailed to. */
  email: string;
  userId?: string | undefined;
  /** The browser had signed up or entered the password. */
  byUser?: boolean | undefined;
}

export interface CodeRequest extends CodeOrigin {
  subject: CodeSubject;
  /** Identifies the requesting browser. Undefined for a service. */
  browser: string | undefined;
}

export interface ProposedCode {
  code: string;
  expiresAt: Date;
  /** Stores the code in the transaction that mails it. It replaces the earlier one of the browser. */
  keep: (trx: Kysely<Tables>) => Promise<void>;
  /** Returns whether the code can be stored: the address has not too many of other browsers. */
  hasRoom: (trx: Kysely<Tables>) => Promise<boolean>;
  /**
   * Stores a row that no code matches, so that attempts are answered as after a mail. With `replaces` it replaces the earlier one of the
   * browser, as a mailed code would.
   */
  imitate: (trx: Kysely<Tables>, how: { replaces: boolean }) => Promise<void>;
}

const unknownLength = 32;

export const proposeCode = (
  { clock, config, newEventId, ring }: ProposeCodeNeeds,
  { subject, browser, ...origin }: CodeRequest,
): ProposedCode => {
  const { otpLength, expiresIn } = config.emailOTP;
  const code = String(randomInt(10 ** otpLength)).padStart(otpLength, "0");
  const createdAt = new Date(clock());
  const expiresAt = new Date(createdAt.getTime() + expiresIn * 1000);
  const macOf = (text: string) => codeMacs(ring, subject, text)[0] ?? "";
  const row = {
    id: newEventId(),
    purpose: subject.purpose,
    subject: subjectsOf(ring, subject)[0] ?? "",
    browser: browser === undefined ? "" : (browserMacs(ring, browser)[0] ?? ""),
    code: macOf(code),
    isMailed: true,
    sealed: seal(ring, codePurpose, JSON.stringify(origin)),
    expiresAt,
    createdAt,
  };
  const unmailed = {
    ...row,
    code: macOf(randomToken(unknownLength, "alphanumeric")),
    isMailed: false,
  };
  return {
    code,
    expiresAt,
    keep: (trx) => insertCode(trx, row, { replaces: true }),
    hasRoom: (trx) => hasRoomForCode(trx, row),
    imitate: (trx, how) => insertCode(trx, unmailed, how),
  };
};
