import type { FullUser } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { toUser, type UserRow } from "./user-row.ts";

/**
 * Creates the function that shows a user to clients: without fields that are not returned and members of disabled
 * features.
 */
export const createShowUser = (
  config: Pick<IdentityConfig, "admin" | "username">,
  fields: FieldSet,
): ((row: UserRow) => FullUser) => {
  const showsUsername = config.username.enabled;
  const showsRole = config.admin.enabled;
  // Lists each member for speed: this runs at each session look-up, where spreads would double the cost.
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
