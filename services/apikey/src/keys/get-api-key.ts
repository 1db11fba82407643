import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnKey } from "./queries.ts";
import { sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";

type GetApiKey = typeof operations.apikey.getApiKey;

/** Returns a key of the caller, also a recently expired one. Throws `KEY_NOT_FOUND`. */
export const getApiKey = async (
  deps: Pick<Deps, "config" | "db">,
  { caller, query: { id }, session }: Call<GetApiKey>,
): Promise<Answer<OperationReply<GetApiKey>>> => {
  const row = await findOwnKey(deps.db, { id, userId: session.user.id });
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: shapeForSdk(sdkVersionOf(deps, caller), showOwnKey(row)) };
};
