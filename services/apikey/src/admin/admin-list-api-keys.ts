import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwners } from "./find-owners.ts";
import { keyList } from "./queries.ts";
import { showOwnedKey } from "./show-admin-key.ts";

type AdminListApiKeys = typeof operations.apikey.adminListApiKeys;

/**
 * Returns a page of all keys for admins, oldest first by default, each with its owner. A search matches a whole prefix or the
 * beginning of the first characters. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListApiKeys = async (
  deps: Pick<Deps, "clock" | "db" | "identity" | "organization">,
  { query, caller }: Call<AdminListApiKeys>,
): Promise<Answer<OperationReply<AdminListApiKeys>>> => {
  const now = new Date(deps.clock());
  const { rows, ...page } = await readList(deps.db, keyList, { ...query, now });
  const owners = await findOwners(deps, caller, rows);
  return { reply: { apiKeys: rows.map((row) => showOwnedKey(row, owners)), ...page } };
};
