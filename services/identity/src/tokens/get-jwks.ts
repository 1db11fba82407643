import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type GetJwks = typeof operations.identity.getJwks;

/** The public keys that tokens are verified with, newest first; the first call makes one where there is none. */
export const getJwks = async (
  { signingKeys }: Pick<Deps, "signingKeys">,
  _call: Call<GetJwks>,
): Promise<Answer<OperationReply<GetJwks>>> => {
  return { reply: { keys: await signingKeys.published() } };
};
