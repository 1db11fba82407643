import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { countRefusal } from "../statistics/count-refusal.ts";
import { converse, type ConverseNeeds } from "./converse.ts";
import type { ResolveSocialNeeds } from "./resolve-social-user.ts";
import { signInWithIdToken } from "./sign-in-with-id-token.ts";
import { startFlow } from "./start-flow.ts";

type SignInSocial = typeof operations.identity.signInSocial;

/** Begins a sign-in at a provider, or carries it out with an id token that the client has already. */
export const signInSocial = async (
  deps: ConverseNeeds & ResolveSocialNeeds & CreateSessionNeeds,
  call: Call<SignInSocial>,
): Promise<Answer<OperationReply<SignInSocial>>> => {
  const { body, caller } = call;
  const talk = await converse(deps, body.provider, caller);
  const { idToken: brought } = body;
  if (brought) return countRefusal(deps, () => signInWithIdToken(deps, call, { talk, brought }));
  const { url, ...besides } = await startFlow(deps, talk, { request: body, caller });
  return { reply: { url, redirect: !body.disableRedirect }, ...besides };
};
