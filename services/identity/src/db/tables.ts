import type { KitTables, WrittenOnce } from "@latchkey/service-kit";
import type { ColumnType } from "kysely";

export interface UserTable {
  id: WrittenOnce<string>;
  name: string;
  /** Lower case, unique. */
  email: string;
  emailVerified: boolean;
  image: string | null;
  /** Grows with each change of the row, so that an older copy never replaces a newer one. */
  revision: ColumnType<number, never, number>;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
}

export interface AccountTable {
  id: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  /** `credential` for a password account. */
  providerId: WrittenOnce<string>;
  accountId: WrittenOnce<string>;
  password: string | null;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
}

export interface SessionTable {
  id: WrittenOnce<string>;
  /** SHA-256 of the token; sessions are found by it. */
  tokenHash: WrittenOnce<Buffer>;
  /** The token, sealed, because its owner may list it. */
  tokenSealed: WrittenOnce<string>;
  userId: WrittenOnce<string>;
  expiresAt: Date;
  createdAt: WrittenOnce<Date>;
  updatedAt: Date;
  ipAddress: WrittenOnce<string>;
  userAgent: WrittenOnce<string>;
  /** Set where revoked rows are kept; such a row opens nothing. */
  revokedAt: ColumnType<Date | null, null | undefined, Date>;
}

export interface Tables extends KitTables {
  user: UserTable;
  account: AccountTable;
  session: SessionTable;
}
