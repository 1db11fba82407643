import { type FullUser, fullUserSchema, type User, userSchema } from "@latchkey/contracts";
import { namesOf, picker, qualified, type RowOf, withoutColumns } from "@latchkey/service-kit";
import { userColumns } from "../db/tables.ts";
import type { FieldValues } from "../fields/field-set.ts";

export type UserRow = RowOf<typeof userColumns>;

/** The columns of a user row by name, because a prepared `*` would break when a column is added. */
export const userSelection = qualified("user", namesOf(userColumns));

/** The members of a complete user, without the additional fields. */
export const userMembers: (keyof FullUser & keyof UserRow)[] = Object.keys(
  fullUserSchema.shape,
) as (keyof FullUser)[];

/** Returns the seven members that sign-up, sign-in and change-password show. */
export const toUser: (row: UserRow) => User = picker<User>(
  Object.keys(userSchema.shape) as (keyof User)[],
);

/** Returns the user with every additional field, as passed to the application's own functions. */
export const toWholeUser = ({ revision: _, extra, ...user }: UserRow): FullUser => ({
  ...user,
  ...extra,
});

const pickStored = picker<Omit<UserRow, "extra" | "revision">>(
  namesOf(withoutColumns(userColumns, "extra", "revision")),
);

/** Applies a user that the application's function returned to the row that was passed to it. */
export const fromWholeUser = (whole: FullUser, row: UserRow): UserRow => {
  const given = { ...toWholeUser(row), ...whole } as unknown as UserRow & FieldValues;
  const extra = Object.fromEntries(Object.keys(row.extra).map((name) => [name, given[name]]));
  return { ...row, ...pickStored(given), extra };
};
