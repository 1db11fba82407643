import { type FullUser, fullUserSchema, type User, userSchema } from "@latchkey/contracts";
import {
  namesOf,
  picker,
  qualified,
  type RowOf,
  withoutColumns,
} from "@latchkey/service-kit/database";
import {
  userColumns,
  adminColumns,
  anonymousColumns,
  phoneNumberColumns,
  twoFactorColumns,
  usernameColumns,
} from "../db/tables.ts";
import type { FieldValues, FieldSet } from "@latchkey/service-kit/fields";
import type { IdentityConfig } from "../config.ts";

export type UserRow = RowOf<typeof userColumns>;

/** The columns of a user row by name, because a prepared `*` would break when a column is added. */
export const userSelection = qualified("user", namesOf(userColumns));

/** The members of a complete user, without the additional fields. */
const userMembers: (keyof FullUser & keyof UserRow)[] = Object.keys(
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
  const wholeRow = { ...toWholeUser(row), ...whole } as unknown as UserRow & FieldValues;
  const extra = Object.fromEntries(Object.keys(row.extra).map((name) => [name, wholeRow[name]]));
  return { ...row, ...pickStored(wholeRow), extra };
};

/** A ban is in force until it expires, or permanently. `now` in ms since the epoch. */
export const isBanned = (
  { banned, banExpires }: Pick<UserRow, "banned" | "banExpires">,
  now: number,
): boolean => banned && (banExpires === null || banExpires.getTime() > now);

/** A guest from before guests were turned off. Nobody may act as one, because clients and other services no longer see that it is a guest. */
export const isFormerGuest = (
  { anonymous }: Pick<IdentityConfig, "anonymous">,
  { isAnonymous }: Pick<UserRow, "isAnonymous">,
): boolean => isAnonymous && !anonymous.enabled;

/**
 * Creates the function that shows a user to clients: without fields that are not returned and members of disabled
 * features.
 */
export const createShowUser = (
  config: Pick<IdentityConfig, "admin" | "anonymous" | "phoneNumber" | "twoFactor" | "username">,
  fields: FieldSet,
): ((row: UserRow) => FullUser) => {
  const hidden = new Set<string>([
    ...(config.username.enabled ? [] : namesOf(usernameColumns)),
    ...(config.phoneNumber.enabled ? [] : namesOf(phoneNumberColumns)),
    ...(config.twoFactor.enabled ? [] : namesOf(twoFactorColumns)),
    ...(config.anonymous.enabled ? [] : namesOf(anonymousColumns)),
    ...(config.admin.enabled ? [] : namesOf(adminColumns)),
  ]);
  const pick = picker<FullUser>(userMembers.filter((name) => !hidden.has(name)));
  return (row) => fields.addTo(pick(row), row.extra);
};
