import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { issueToken } from "./issue-token.ts";

type GetToken = typeof operations.identity.getToken;

/** Returns a new signed token of the caller's user. */
export const getToken = async (
  deps: Pick<Deps, "clock" | "config" | "signingKeys">,
  { caller, session }: Call<GetToken>,
): Promise<Answer<OperationReply<GetToken>>> => {
  const signer = await deps.signingKeys.current();
  const { token } = await issueToken(deps, session, { signer, caller });
  return { reply: { token } };
};
