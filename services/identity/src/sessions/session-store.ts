import type { Caller, Session } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { FieldValues } from "../fields/field-set.ts";
import type { UserRow } from "../users/user-row.ts";

/** A session as it is stored: found by the hash of its token, which rests sealed. */
export interface StoredSession extends Omit<Session, "token"> {
  tokenHash: Buffer;
  tokenSealed: string;
  /** The id of the admin who impersonates the user. */
  impersonatedBy: string | null;
  /** The id of the organization that it works in. */
  activeOrganizationId: string | null;
  /** Additional fields. */
  extra: FieldValues;
}

/** What an extension changes. The token is sealed anew, so that a session in use outlives the secret that it began under. */
export type SessionExtension = Pick<StoredSession, "expiresAt" | "updatedAt" | "tokenSealed">;

export interface FoundSession {
  session: StoredSession;
  user: UserRow;
}

/** Notes which sessions were adopted, with what else is written. */
export type NoteAdopted = (trx: Kysely<Tables>, hashes: ReadonlySet<string>) => Promise<void>;

/**
 * Where live sessions are kept. Every implementation gives the same answers: what is revoked is refused by the next
 * `find`, and what `renewUser` wrote is seen by it. What ends a session, or changes its organization, also moves its user to
 * the next epoch, after that, so that no cached copy outlives it.
 */
export interface SessionStore {
  /** Sessions carry a copy of their user, which `renewUser` keeps up to date. */
  readonly copiesUser: boolean;
  /** Starts a session; false when the user has ceased to exist or is banned, and then there is none. */
  insert(session: StoredSession, user: UserRow, audit: AuditEntry): Promise<boolean>;
  /**
   * Begins sessions that began elsewhere, without a word in the audit; each is given with its user, who may have it. `note` is
   * called with those that began, by the hex of their hashes, in the transaction where there is one; others had begun before.
   */
  adopt(sessions: readonly FoundSession[], note: NoteAdopted): Promise<void>;
  /** One round trip. May give an expired session. */
  find(tokenHash: Buffer): Promise<FoundSession | undefined>;
  /** Moves the expiry, if nobody has since `seen`; false when somebody has or the session is gone. */
  extend(tokenHash: Buffer, seen: StoredSession, to: SessionExtension): Promise<boolean>;
  /** Removes a session that expired before `now`. */
  deleteExpired(tokenHash: Buffer, now: Date): Promise<void>;
  /** Ends a session; false when there was none. */
  revoke(session: { tokenHash: Buffer; userId: string }, audit: AuditEntry): Promise<boolean>;
  /** Ends all sessions of a user, or all but the one whose token has the hash `except`. */
  revokeAll(userId: string, except: Buffer | undefined, audit: AuditEntry): Promise<void>;
  /** Has a session work in an organization, or in none; false when there is no such session. */
  chooseOrganization(
    session: { tokenHash: Buffer; userId: string },
    organizationId: string | null,
    caller?: Caller,
  ): Promise<boolean>;
  /** Those of some users who have a session that works in an organization. */
  listOrganizationHolders(userIds: readonly string[], organizationId: string): Promise<string[]>;
  /** Takes an organization from the sessions of a user that work in it; false when none did. */
  forgetOrganization(userId: string, organizationId: string, caller?: Caller): Promise<boolean>;
  /** Sessions that live at `now`, newest first, `limit` at most. */
  list(userId: string, now: Date, limit: number): Promise<StoredSession[]>;
  /** Renews the copies of a user that sessions carry, unless they are newer. */
  renewUser(user: UserRow): Promise<void>;
}
