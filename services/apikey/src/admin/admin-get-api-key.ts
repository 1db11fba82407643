import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwners } from "./find-owners.ts";
import { findKey } from "../keys/queries.ts";
import { showOwnedKey } from "./show-admin-key.ts";

type AdminGetApiKey = typeof operations.apikey.adminGetApiKey;

/** Returns a key of any owner with its owner, also a recently expired one. Throws `KEY_NOT_FOUND`. */
export const adminGetApiKey = async (
  deps: Pick<Deps, "db" | "identity" | "organization">,
  { params: { id }, caller }: Call<AdminGetApiKey>,
): Promise<Answer<OperationReply<AdminGetApiKey>>> => {
  const row = await findKey(deps.db, id);
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: showOwnedKey(row, await findOwners(deps, caller, [row])) };
};
