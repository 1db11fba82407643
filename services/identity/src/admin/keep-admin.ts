import { isAdmin, WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findOtherAdmin, lockAdmins, lockRole } from "./queries.ts";

/**
 * Rejects the loss of the last admin, in the transaction of the change. Such changes wait for each other, so that one of
 * two admins who remove each other stays. Changes of other users do not wait. Nothing is checked if there are no admin
 * features.
 */
export const keepAdmin = async (
  { clock, config: { admin } }: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { losing }: { losing: string },
): Promise<void> => {
  if (!admin.enabled) return;
  const now = new Date(clock());
  const { adminRoles, adminUserIds } = admin;
  const lost = await lockRole(trx, losing);
  if (!lost || !isAdmin(admin, lost)) return;
  await lockAdmins(trx);
  const other = await findOtherAdmin(trx, { than: losing, adminRoles, adminUserIds, now });
  if (!other) throw new WireError("YOU_CANNOT_REMOVE_THE_LAST_ADMIN");
};
