import type { FullUser, User } from "@latchkey/contracts";
import type { FieldValues } from "../fields/field-set.ts";

/** A user's row: every member, the additional fields in `extra`, and the revision. */
export interface UserRow extends User {
  username: string | null;
  displayUsername: string | null;
  role: string | null;
  banned: boolean;
  banReason: string | null;
  banExpires: Date | null;
  extra: FieldValues;
  revision: number;
}

/** The columns of a user row, by name. A prepared `*` would break when a column is added. */
export const userColumns = [
  "user.id",
  "user.name",
  "user.email",
  "user.emailVerified",
  "user.image",
  "user.createdAt",
  "user.updatedAt",
  "user.username",
  "user.displayUsername",
  "user.role",
  "user.banned",
  "user.banReason",
  "user.banExpires",
  "user.extra",
  "user.revision",
] as const;

/** Returns the seven members that sign-up, sign-in and change-password show. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  image: row.image,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** Returns the user with every additional field, as passed to the application's own functions. */
export const toWholeUser = ({ revision: _, extra, ...user }: UserRow): FullUser => ({
  ...user,
  ...extra,
});

/** Applies a user that the application's function returned to the row that was passed to it. */
export const fromWholeUser = (whole: FullUser, row: UserRow): UserRow => {
  const given = { ...toWholeUser(row), ...whole } as unknown as UserRow & FieldValues;
  const extra = Object.fromEntries(Object.keys(row.extra).map((name) => [name, given[name]]));
  return { ...row, ...pickMembers(given), extra };
};

const pickMembers = (from: UserRow): Omit<UserRow, "extra" | "revision"> => ({
  id: from.id,
  name: from.name,
  email: from.email,
  emailVerified: from.emailVerified,
  image: from.image,
  createdAt: from.createdAt,
  updatedAt: from.updatedAt,
  username: from.username,
  displayUsername: from.displayUsername,
  role: from.role,
  banned: from.banned,
  banReason: from.banReason,
  banExpires: from.banExpires,
});
