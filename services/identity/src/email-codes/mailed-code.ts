import { hmacSha256, type SecretRing, randomToken, seal } from "@latchkey/crypto";
import type { Caller, SessionEffect } from "@latchkey/contracts";
import { randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import type { Deps } from "../deps.ts";
import type { Tables } from "../db/tables.ts";
import { hasRoomForCode, insertCode } from "./queries.ts";

/** The purpose of a code by mail. A code of one purpose never fits another. */
export type MailedPurpose = "sign-in" | "email-verification" | "forget-password" | "change-email";

/** The purpose of a code by text message. One that proves a number is for a sign-in and for a new number alike. */
export type TextedPurpose = "phone-number" | "phone-password-reset";

export type CodePurpose = MailedPurpose | TextedPurpose;

const isTexted = (purpose: CodePurpose): purpose is TextedPurpose =>
  purpose === "phone-number" || purpose === "phone-password-reset";

/** The options of codes, and the value by which a browser keeps its own. */
type CodeRules = Pick<
  Deps["config"]["emailOTP"],
  "allowedAttempts" | "expiresIn" | "guesses" | "otpLength" | "sameBrowser"
> & { browserName: "emailOtp" | "phoneOtp" };

/** Returns the options of the codes of a purpose. */
export const codeRules = (
  { config: { emailOTP, phoneNumber } }: Pick<Deps, "config">,
  purpose: CodePurpose,
): CodeRules =>
  isTexted(purpose)
    ? { ...phoneNumber, sameBrowser: "prefer", browserName: "phoneOtp" }
    : { ...emailOTP, browserName: "emailOtp" };

/** The purpose of a code, and the address, number or user that it is for. */
export interface CodeSubject {
  purpose: CodePurpose;
  /** The address in lower case, or the number in E.164. For a change of address, the user's id. */
  name: string;
  /** The new address of a change. */
  newEmail?: string;
}

/** No part contains this character. */
const joined = (...parts: readonly string[]): string => parts.join("\0");

/** Names a subject in the tables, under each secret. The tables contain no address beside a code. */
export const subjectsOf = (ring: SecretRing, { purpose, name }: CodeSubject): string[] =>
  ring
    .derive("mailed code subject")
    .map((key) => hmacSha256(key, joined(purpose, name), "base64url"));

/** Returns the stored forms of a code, under each secret. */
export const codeMacs = (
  ring: SecretRing,
  { purpose, name, newEmail = "" }: CodeSubject,
  code: string,
): string[] =>
  ring
    .derive("mailed code")
    .map((key) => hmacSha256(key, joined(purpose, name, newEmail, code), "base64url"));

/** Names a browser in the table, under each secret. */
export const browserMacs = (ring: SecretRing, browser: string): string[] =>
  ring.derive("mailed code browser").map((key) => hmacSha256(key, browser, "base64url"));

const browserLength = 32;

/**
 * Returns the values that identify the caller's browser: the one for codes, and for those by mail the one for verification links. A code
 * that replaces such a link was requested under the latter.
 */
export const browsersOf = ({ kept, linkBrowser }: Caller, purpose: CodePurpose): string[] =>
  (isTexted(purpose) ? [kept?.phoneOtp] : [kept?.emailOtp, linkBrowser]).filter(
    (value) => value !== undefined,
  );

/** Identifies the browser that requests a code. A browser keeps one value for all its codes by mail, and one for those by text message. */
export const rememberCodeBrowser = (
  deps: Pick<Deps, "config">,
  { kept }: Caller,
  purpose: CodePurpose,
): { browser: string; effect: Extract<SessionEffect, { kind: "keep" }> } => {
  const { browserName, expiresIn: maxAgeSeconds } = codeRules(deps, purpose);
  const browser = kept?.[browserName] ?? randomToken(browserLength, "alphanumeric");
  return {
    browser,
    effect: { kind: "keep", keeps: { [browserName]: { value: browser, maxAgeSeconds } } },
  };
};

export type ProposeCodeNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** The purpose under which the content of a row is sealed. */
export const codePurpose = "mailed code content";

/** How a code was requested, which is stored sealed. */
export interface CodeOrigin {
  /** The address that the code was mailed to. Absent for a text message. */
  email?: string;
  userId?: string | undefined;
  /** The browser had signed up or entered the password. */
  byUser?: boolean | undefined;
}

export interface CodeRequest extends CodeOrigin {
  subject: CodeSubject;
  /** Identifies the requesting browser. Undefined for a service. */
  browser: string | undefined;
}

interface ProposedCode {
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
  deps: ProposeCodeNeeds,
  { subject, browser, email, userId, byUser }: CodeRequest,
): ProposedCode => {
  const { clock, newEventId, ring } = deps;
  const { otpLength, expiresIn } = codeRules(deps, subject.purpose);
  const origin: CodeOrigin = { ...(email !== undefined && { email }), userId, byUser };
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
