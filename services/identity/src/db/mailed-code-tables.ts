import type { WrittenOnce } from "@latchkey/service-kit/database";
import type { ColumnType } from "kysely";

/** A code that was mailed to an address, for one purpose and the browser that requested it. */
export interface MailedCodeTable {
  id: WrittenOnce<string>;
  purpose: WrittenOnce<string>;
  /** An HMAC of the purpose and the address, or the user who changes theirs. */
  subject: WrittenOnce<string>;
  /** An HMAC of the browser that requested the code. Empty for a code of a service. */
  browser: WrittenOnce<string>;
  /** An HMAC of purpose, address and code. No code matches it if nothing was mailed. */
  code: string;
  /** Attempts of the browser that requested the code. */
  ownTries: ColumnType<number, number | undefined, number>;
  /** Attempts of all others. */
  foreignTries: ColumnType<number, number | undefined, number>;
  /** False if nobody received the code. It only answers attempts like another. */
  isMailed: boolean;
  /** The address and how it was requested, sealed. */
  sealed: string;
  expiresAt: Date;
  createdAt: Date;
}

/** Wrong codes for an address and a purpose. */
export interface MailedCodeGuessTable {
  /** An HMAC of the purpose and the address. */
  key: WrittenOnce<string>;
  count: number;
  windowStart: Date;
}
