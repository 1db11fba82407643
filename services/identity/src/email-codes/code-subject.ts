import { hmacSha256, type SecretRing } from "@latchkey/crypto";

/** The purpose of a code. A code of one purpose never fits another. */
export type CodePurpose = "sign-in" | "email-verification" | "forget-password" | "change-email";

/** The purpose of a code, and the address or user that it is for. */
export interface CodeSubject {
  purpose: CodePurpose;
  /** The address in lower case. For a change of address, the user's id. */
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
