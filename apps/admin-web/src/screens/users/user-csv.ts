import { type CsvColumns, csvMembers } from "../../components/export/csv-export.ts";
import type { EditableField } from "../../components/fields/field-text.ts";
import type { User } from "../../components/users/user.ts";

/** Writes the value of an additional field. A list becomes JSON, because its texts may contain any separator. */
const fieldOf = (user: User, name: string) => {
  const value = (user as Readonly<Record<string, unknown>>)[name];
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return JSON.stringify(value);
};

/** The columns of exported users, with these additional fields. */
export const userCsv = (fields: readonly EditableField[]): CsvColumns<User> => ({
  ...csvMembers<User>(
    "id",
    "email",
    "emailVerified",
    "name",
    "image",
    "username",
    "phoneNumber",
    "role",
  ),
  ...csvMembers<User>("twoFactorEnabled", "banned", "banReason", "banExpires"),
  ...csvMembers<User>("createdAt", "updatedAt"),
  ...Object.fromEntries(
    fields.map(({ name }) => [name, (user: User) => fieldOf(user, name)] as const),
  ),
});
