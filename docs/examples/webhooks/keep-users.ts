/** An event as Latchkey sends it. */
export interface LatchkeyEvent {
  id: string;
  type: string;
  version: number;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Processes an event. A rejection makes the receiver answer 500, and the event is sent again. */
export type HandleEvent = (event: LatchkeyEvent) => Promise<void>;

/** A user as your own table keeps it. */
export interface KeptUser {
  id: string;
  email: string;
  name: string;
  revision: number;
}

/** Your table of users. In production, each function is one statement. */
export interface UserTable {
  /** `insert ... on conflict (id) do update ... where users.revision < excluded.revision and users.deleted_at is null` */
  upsert(user: KeptUser): Promise<void>;
  /**
   * Clears the user's data and keeps the id: `insert into users (id, deleted_at) ... on conflict (id) do update set deleted_at = now(),
   * email = null, name = null`. Without this trace, an event or a page of `GET /admin/list-users` from before the deletion would add the
   * user again.
   */
  markDeleted(id: string): Promise<void>;
}

/**
 * Returns a handler that keeps a users table in step. An event that arrives twice changes nothing: an older or equal revision never replaces
 * a newer one, and a deleted user stays deleted.
 */
export const keepUsers =
  (users: UserTable): HandleEvent =>
  async ({ type, data }) => {
    if (type === "user.deleted") return users.markDeleted(String(data["userId"]));
    if (data["user"]) return users.upsert(data["user"] as KeptUser);
  };
