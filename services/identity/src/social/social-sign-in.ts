import { type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import type { GuestHolder } from "../access/link-guest.ts";
import { findAccountOwner } from "../rows/accounts.ts";
import type { Deps } from "../deps.ts";
import type { SocialUser } from "../providers/read-user.ts";
import type { ProviderClient } from "../providers/provider-client.ts";
import { findUser } from "../users/find-users.ts";
import {
  finishSignIn,
  type FinishSignInNeeds,
  type SignInOutcome,
} from "../sign-in/finish-sign-in.ts";
import type { UserRow } from "../users/user-row.ts";

/** A user at a provider, with an address. */
type AddressedUser = SocialUser & {
  email: string;
  /** The provider sent no address, so this is that of the user who has linked the account. It finds nobody else. */
  hasOwnersAddress?: boolean;
};

/** A user whom a provider asserts, before the sign-in. `user.email` is present. */
export interface SocialSignIn {
  client: ProviderClient;
  user: AddressedUser;
  tokens: ProviderTokens;
  caller: Caller;
  /** The session in which the sign-in began, if it is that of a guest. */
  guest: GuestHolder;
  /** The client allows a new user to be registered. */
  requestSignUp: boolean;
  /** Name of a user whose provider sends none. */
  nameFallback: string;
  /** Begun by a mobile app. The cookies of its browser are not those of the session. */
  isOfApp?: boolean;
  /** Destination of a mailed link. */
  callbackURL: string | undefined;
}

/**
 * Returns a user at a provider with an address. Providers may send none to a user who has linked the account before, for example because
 * a consent was narrowed. Returns undefined if nobody has linked it.
 */
export const withAddress = async (
  { db }: Pick<Deps, "db">,
  { provider }: ProviderClient,
  user: SocialUser,
): Promise<AddressedUser | undefined> => {
  const { id: accountId, email } = user;
  if (email !== undefined) return { ...user, email };
  const owner = await findAccountOwner(db, { providerId: provider.id, accountId });
  const linked = owner && (await findUser({ db }, { id: owner.userId }));
  return linked && { ...user, email: linked.email, emailVerified: false, hasOwnersAddress: true };
};

/**
 * Finishes a sign-in at a provider, unless the account was unlinked meanwhile. A browser with the marker of
 * an unremembered session gets an unremembered one again. Throws `EMAIL_NOT_VERIFIED`, `BANNED_USER`,
 * `TWO_FACTOR_REQUIRED` and `UNABLE_TO_CREATE_SESSION`.
 */
export const finishSocialSignIn = async (
  deps: FinishSignInNeeds,
  user: UserRow,
  {
    client: { provider },
    user: there,
    caller,
    guest,
    isOfApp = false,
  }: Pick<SocialSignIn, "caller" | "client" | "guest" | "isOfApp" | "user">,
): Promise<SignInOutcome> => {
  const account = { providerId: provider.id, accountId: there.id };
  if (provider.options.requireEmailVerification && !user.emailVerified)
    throw new WireError("EMAIL_NOT_VERIFIED");
  const outcome = await finishSignIn(deps, {
    user,
    method: `social:${provider.id}`,
    // The cookies of a browser that an app has opened are not those of the app.
    caller: isOfApp
      ? { ...caller, deviceSessions: undefined, impersonationToken: undefined }
      : caller,
    guest,
    remember: isOfApp || !caller.browserSession,
    isStillGranted: async () => (await findAccountOwner(deps.db, account))?.userId === user.id,
  });
  if (!outcome) throw new WireError("UNABLE_TO_CREATE_SESSION");
  return outcome;
};
