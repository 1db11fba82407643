import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sweepExpiredKeys } from "./sweep-expired-keys.ts";

type DeleteExpiredApiKeys = typeof operations.apikey.deleteExpiredApiKeys;

/** Deletes every expired key without waiting for the next sweep. */
export const deleteExpiredApiKeys = async (
  deps: Pick<Deps, "clock" | "db">,
): Promise<Answer<OperationReply<DeleteExpiredApiKeys>>> => {
  await sweepExpiredKeys(deps);
  return { reply: { success: true, error: null } };
};
