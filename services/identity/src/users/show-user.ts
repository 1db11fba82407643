import type { FullUser } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { toUser, type UserRow } from "./user-row.ts";

/** Makes what shows a user whole to clients: without fields that are not returned and members of features that are off. */
export const createShowUser = (
  config: Pick<IdentityConfig, "admin" | "username">,
  fields: FieldSet,
): ((row: UserRow) => FullUser) => {
  const showsUsername = config.username.enabled;
  const showsRole = config.admin.enabled;
  // Written out member by member: this runs at each look-up of a session, where spreads would cost as much as the rest.
  return (row) => {
    const user: FullUser = toUser(row);
    if (showsUsername) {
      user.username = row.username;
      user.displayUsername = row.displayUsername;
    }
    if (showsRole) {
      user.role = row.role;
      user.banned = row.banned;
      user.banReason = row.banReason;
      user.banExpires = row.banExpires;
    }
    return fields.isEmpty ? user : Object.assign(user, fields.show(row.extra));
  };
};
