import { type Caller, type Session, sessionSchema } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { RowOf } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import type { authenticationColumns, sessionColumns, Tables } from "../../db/tables.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import type { UserRow } from "../../users/user-row.ts";

/** A stored session: found by the hash of its token, with the token sealed. */
export type StoredSession = RowOf<typeof sessionColumns>;

type SessionMember = Exclude<keyof Session, "token">;

/** The members of a session that its owner sees, other than the token. */
export const sessionMembers: (SessionMember & keyof StoredSession)[] = Object.keys(
  sessionSchema.omit({ token: true }).shape,
) as SessionMember[];

/**
 * The values that an extension changes. The token is sealed again, so that a session in use survives the removal of the
 * secret that sealed it first.
 */
export type SessionExtension = Pick<StoredSession, "expiresAt" | "updatedAt" | "tokenSealed">;

/** The values that a further authentication in a session changes. */
export type AuthenticationChange = RowOf<typeof authenticationColumns>;

export interface FoundSession {
  session: StoredSession;
  user: UserRow;
}

/** The organization in which sessions work, and the team of it. Without a team, it stands for all of the organization. */
export interface SessionPlace {
  organizationId: string;
  teamId?: string | undefined;
}

/** Records which sessions were imported, in the transaction of the import. */
export type RecordImported = (trx: Kysely<Tables>, hashes: ReadonlySet<string>) => Promise<void>;

/** The audit row for an end of sessions. Only the caller if another audit row covers the end. */
export type AuditOfEnd = AuditEntry | { caller: Caller };

/**
 * Stores live sessions. All implementations behave alike: the next `find` refuses a revoked session and shows what
 * `renewUser` wrote. An end of a session or a change of its organization also increments the user revision, afterwards, so
 * that no cached session outlives it.
 */
export interface SessionStore {
  /** True if sessions contain a user snapshot, which `renewUser` updates. */
  readonly storesUserSnapshots: boolean;
  /** Starts a session. Returns false, and starts none, if the user was deleted or is banned. */
  insert(session: StoredSession, user: UserRow, audit: AuditEntry): Promise<boolean>;
  /**
   * Adds sessions that began in another system, without an audit row. Each comes with its user, who must be allowed to
   * have it. Calls `record` with the hex hashes of the added ones, in the transaction if there is one. Leaves out sessions
   * that were added before.
   */
  insertImported(sessions: readonly FoundSession[], record: RecordImported): Promise<void>;
  /** Takes one round trip. May return an expired session. */
  find(tokenHash: Buffer): Promise<FoundSession | undefined>;
  /** Moves the expiry. Returns false if the session was extended since `seen` or does not exist. */
  extend(tokenHash: Buffer, seen: StoredSession, to: SessionExtension): Promise<boolean>;
  /** Deletes a session that expired before `now`. */
  deleteExpired(tokenHash: Buffer, now: Date): Promise<void>;
  /** Ends a session. Returns false if there is none. */
  revoke(session: { tokenHash: Buffer; userId: string }, audit: AuditEntry): Promise<boolean>;
  /** Ends all sessions of a user, except the one whose token has the hash `except`. */
  revokeAll(userId: string, except: Buffer | undefined, audit: AuditOfEnd): Promise<void>;
  /**
   * Sets or clears the organization of a session together with its team, so that a session never works in a team of another
   * organization. Returns false if there is no such session.
   */
  chooseOrganization(
    session: { tokenHash: Buffer; userId: string },
    place: SessionPlace | null,
    caller?: Caller,
  ): Promise<boolean>;
  /** Changes some additional fields of a session. Returns false if there is no such session. */
  changeFields(
    session: { tokenHash: Buffer; userId: string },
    change: FieldValues,
    caller?: Caller,
  ): Promise<boolean>;
  /** Records a further authentication in a session. Returns false if there is no such session. */
  changeAuthentication(
    session: { tokenHash: Buffer; userId: string },
    change: AuthenticationChange,
  ): Promise<boolean>;
  /** Writes the audit row of a use of a live session. Returns false, and writes none, if there is no such session. */
  recordUse(session: { tokenHash: Buffer; userId: string }, audit: AuditEntry): Promise<boolean>;
  /** Returns those of the users who have a session in an organization, or in a team of it. */
  listOrganizationHolders(userIds: readonly string[], place: SessionPlace): Promise<string[]>;
  /** Removes an organization with its team, or only a team, from a user's sessions. Returns false if none worked in it. */
  forgetOrganization(userId: string, place: SessionPlace, caller?: Caller): Promise<boolean>;
  /** Returns up to `limit` sessions that are live at `now`, newest first. */
  list(userId: string, now: Date, limit: number): Promise<StoredSession[]>;
  /** Renews the user snapshots in sessions, unless they are newer. */
  renewUser(user: UserRow): Promise<void>;
}
