import type { Caller, ProviderTokens } from "@latchkey/contracts";
import type { SocialUser } from "../providers/read-user.ts";
import type { Talk } from "../providers/talk.ts";

/** Somebody whom a provider vouches for, about to be signed in. `user.email` is there. */
export interface SocialSignIn {
  talk: Talk;
  user: SocialUser & { email: string };
  tokens: ProviderTokens;
  caller: Caller;
  /** The client said that somebody new may be registered. */
  requestSignUp: boolean;
  /** What a user without a name is called. */
  nameFallback: string;
  /** Where a mailed link leads. */
  callbackURL: string | undefined;
}
