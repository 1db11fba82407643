import type { User } from "@latchkey/contracts";

/** A user with the revision of its row. */
export interface UserRow extends User {
  revision: number;
}

/** The columns of a user row, by name: a prepared `*` would break when a column is added. */
export const userColumns = [
  "user.id",
  "user.name",
  "user.email",
  "user.emailVerified",
  "user.image",
  "user.createdAt",
  "user.updatedAt",
  "user.revision",
] as const;

/** The user as clients see it. */
export const toUser = ({ revision: _, ...user }: UserRow): User => user;
