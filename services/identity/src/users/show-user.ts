import type { FullUser } from "@latchkey/contracts";
import { namesOf, picker } from "@latchkey/service-kit";
import type { IdentityConfig } from "../config.ts";
import { adminColumns, twoFactorColumns, usernameColumns } from "../db/tables.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { userMembers, type UserRow } from "./user-row.ts";

/**
 * Creates the function that shows a user to clients: without fields that are not returned and members of disabled
 * features.
 */
export const createShowUser = (
  config: Pick<IdentityConfig, "admin" | "twoFactor" | "username">,
  fields: FieldSet,
): ((row: UserRow) => FullUser) => {
  const hidden = new Set<string>([
    ...(config.username.enabled ? [] : namesOf(usernameColumns)),
    ...(config.twoFactor.enabled ? [] : namesOf(twoFactorColumns)),
    ...(config.admin.enabled ? [] : namesOf(adminColumns)),
  ]);
  const pick = picker<FullUser>(userMembers.filter((name) => !hidden.has(name)));
  return (row) => (fields.isEmpty ? pick(row) : { ...pick(row), ...fields.show(row.extra) });
};
