import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type GetJwks = typeof operations.identity.getJwks;

/** Returns the public keys for verifying tokens, newest first. The first call creates a key if there is none. */
export const getJwks = async (
  { signingKeys }: Pick<Deps, "signingKeys">,
  _call: Call<GetJwks>,
): Promise<Answer<OperationReply<GetJwks>>> => {
  return { reply: { keys: await signingKeys.published() } };
};
