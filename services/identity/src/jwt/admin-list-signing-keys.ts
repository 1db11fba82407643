import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listKeyEntries } from "./list-key-entries.ts";

type AdminListSigningKeys = typeof operations.identity.adminListSigningKeys;

/** Returns the state of each published key, and whether it can be opened. Returns nothing of private keys. */
export const adminListSigningKeys = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  _call: Call<AdminListSigningKeys>,
): Promise<Answer<OperationReply<AdminListSigningKeys>>> => ({
  reply: { keys: await listKeyEntries(deps) },
});
