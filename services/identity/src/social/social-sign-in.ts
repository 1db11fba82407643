import type { Caller, ProviderTokens } from "@latchkey/contracts";
import type { SocialUser } from "../providers/read-user.ts";
import type { ProviderClient } from "../providers/provider-client.ts";

/** A user whom a provider asserts, before the sign-in. `user.email` is present. */
export interface SocialSignIn {
  client: ProviderClient;
  user: SocialUser & { email: string };
  tokens: ProviderTokens;
  caller: Caller;
  /** The client allows a new user to be registered. */
  requestSignUp: boolean;
  /** Name of a user whose provider sends none. */
  nameFallback: string;
  /** Begun by a mobile app. The cookies of its browser are not those of the session. */
  isOfApp?: boolean;
  /** Destination of a mailed link. */
  callbackURL: string | undefined;
}
