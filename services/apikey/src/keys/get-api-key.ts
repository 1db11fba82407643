import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { findManagedKey, type FindManagedKeyNeeds } from "./find-managed-key.ts";
import { shapeForSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";

type GetApiKey = typeof operations.apikey.getApiKey;

/** Returns a key of the caller or of an organization, also a recently expired one. Throws the errors of `findManagedKey`. */
export const getApiKey = async (
  deps: FindManagedKeyNeeds,
  call: Call<GetApiKey>,
): Promise<Answer<OperationReply<GetApiKey>>> => {
  const row = await findManagedKey(deps, call, { id: call.query.id, action: "read" });
  return { reply: shapeForSdk(deps, call.caller, showOwnKey(row)) };
};
