import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { countRefusal } from "../statistics/count-refusal.ts";
import { findProviderClient, type FindProviderClientNeeds } from "./find-provider-client.ts";
import type { ResolveSocialNeeds } from "./resolve-social-user.ts";
import { signInWithIdToken } from "./sign-in-with-id-token.ts";
import { startFlow } from "./start-flow.ts";

type SignInSocial = typeof operations.identity.signInSocial;

/** Starts a sign-in at a provider, or signs in with an id token that the client brings. */
export const signInSocial = async (
  deps: FindProviderClientNeeds & ResolveSocialNeeds & CreateSessionNeeds,
  call: Call<SignInSocial>,
): Promise<Answer<OperationReply<SignInSocial>>> => {
  const { body, caller } = call;
  const client = await findProviderClient(deps, body.provider, caller);
  const { idToken } = body;
  if (idToken)
    return countRefusal(deps, caller, () => signInWithIdToken(deps, call, { client, idToken }));
  return startFlow(deps, client, { request: body, caller });
};
