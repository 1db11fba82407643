import type { WrittenOnce } from "@latchkey/service-kit/database";
import type { ColumnType } from "kysely";

/** A guest, until it signs up or is deleted. */
export interface GuestTable {
  userId: WrittenOnce<string>;
  /** When it was created, imported, or last found in use by the sweep. */
  createdAt: Date;
  /** When its browser signed in as an existing user. It has no access any more. */
  endedAt: ColumnType<Date | null, never, Date>;
}

/** A merge of two users that can be undone. Deleted with the merged user. */
export interface UserMergeTable {
  id: WrittenOnce<string>;
  /** The user who stays. Null once that one is deleted, too. */
  userId: WrittenOnce<string | null>;
  /** Unique. */
  mergedUserId: WrittenOnce<string>;
  /** The ids of the accounts and passkeys that moved. */
  accountIds: WrittenOnce<string[]>;
  passkeyIds: WrittenOnce<string[]>;
  /** The passkeys among them whose authenticators store the handle of the merged user. */
  handlePasskeyIds: WrittenOnce<string[]>;
  /** The phone number that moved. Null if none did. */
  phoneNumber: WrittenOnce<string | null>;
  mergedAt: WrittenOnce<Date>;
  undoableUntil: WrittenOnce<Date>;
}
