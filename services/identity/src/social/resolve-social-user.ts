import { WireError } from "@latchkey/contracts";
import {
  claimUser,
  linkAccount,
  type LinkAccountNeeds,
  linkToUnproven,
} from "../accounts/link-account.ts";
import { findAccountOwner } from "../accounts/queries.ts";
import { renewAccount } from "../accounts/renew-account.ts";
import { nameAttemptedUser } from "../sign-in/attempted-user.ts";
import { findUser } from "../users/find-user.ts";
import { isAddressProven, isVerifiedByLinkAlone } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { isTrusted } from "./is-trusted.ts";
import { mayLinkByAddress, vouchesFor } from "./link-rules.ts";
import { markVerified } from "../email-verification/mark-verified.ts";
import { lookAgain } from "./look-again.ts";
import { overrideUser } from "./override-user.ts";
import { registerSocialUser, type RegisterSocialNeeds } from "./register-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

export type ResolveSocialNeeds = LinkAccountNeeds & RegisterSocialNeeds;

export interface ResolvedSocialUser {
  user: UserRow;
  isNew: boolean;
}

/**
 * Returns the user of an account, or undefined without one. A sign-in by an account whose provider vouches for the address proves it.
 * If a mailed link alone had verified it, the sign-in claims the user, because other credentials may be a stranger's.
 */
const signInLinked = async (
  deps: ResolveSocialNeeds,
  { client, user: there, tokens, caller }: SocialSignIn,
): Promise<UserRow | undefined> => {
  const account = { providerId: client.provider.id, accountId: there.id };
  const owner = await findAccountOwner(deps.db, account);
  const user = owner && (await findUser(deps, { id: owner.userId }));
  if (!owner || !user) return undefined;
  nameAttemptedUser(caller, user.id);
  if (deps.config.account.updateAccountOnSignIn) {
    const outcome = await renewAccount(deps, { ...owner, ...account }, tokens);
    if (outcome === "gone") return undefined;
  }
  if (!vouchesFor(there, user)) return user;
  if (!(await isVerifiedByLinkAlone(deps.db, user.id)))
    return (await markVerified(deps, { user, caller })) ?? user;
  const isClaimed = await claimUser(deps, { user, kept: owner.id, isVerified: true, caller });
  return isClaimed ? findUser(deps, { id: user.id }) : undefined;
};

/**
 * Links the account to the user who has its address. Returns false if the user has changed meanwhile. If only a mailed
 * link has verified the address, the user's password may be a stranger's, so the former credentials are deleted.
 */
const linkByAddress = async (
  deps: ResolveSocialNeeds,
  here: UserRow,
  { client, user: there, tokens, caller }: SocialSignIn,
): Promise<boolean> => {
  nameAttemptedUser(caller, here.id);
  const { provider, definition } = client;
  const isVerifiedThere = there.emailVerified;
  const isAllowed = mayLinkByAddress(deps.config.account.accountLinking, {
    isTrusted: await isTrusted(deps, provider.id, caller),
    isVerifiedThere,
    isVerifiedHere: here.emailVerified,
  });
  if (!isAllowed) throw new WireError("ACCOUNT_NOT_LINKED");
  const linking = {
    user: here,
    providerId: provider.id,
    providerName: definition.name,
    accountId: there.id,
    tokens,
    caller,
  };
  const { email, emailVerified } = here;
  return (await isAddressProven(deps.db, here))
    ? linkAccount(deps, linking, { email, emailVerified })
    : linkToUnproven(deps, linking, { isVerifiedThere });
};

const resolveOnce = async (
  deps: ResolveSocialNeeds,
  signIn: SocialSignIn,
): Promise<ResolvedSocialUser | undefined> => {
  const { user: there } = signIn;
  const linked = await signInLinked(deps, signIn);
  if (linked) return { user: linked, isNew: false };
  const here = await findUser(deps, { email: there.email });
  if (here) {
    if (!(await linkByAddress(deps, here, signIn))) return undefined;
    const user = await findUser(deps, { id: here.id });
    return user && { user, isNew: false };
  }
  const user = await registerSocialUser(deps, signIn);
  return user && { user, isNew: true };
};

/**
 * Returns the user for a sign-in at a provider: the one with the account, else the one with the address, else a new one.
 * Concurrent sign-ins with one account get the same user. Throws `ACCOUNT_NOT_LINKED`, `SIGNUP_DISABLED`,
 * `UNABLE_TO_LINK_ACCOUNT` and `UNABLE_TO_CREATE_USER`.
 */
export const resolveSocialUser = async (
  deps: ResolveSocialNeeds,
  signIn: SocialSignIn,
): Promise<ResolvedSocialUser> => {
  const resolved = await lookAgain(() => resolveOnce(deps, signIn));
  if (!resolved) throw new WireError("UNABLE_TO_CREATE_USER");
  const overrides = signIn.client.provider.options.overrideUserInfoOnSignIn && !resolved.isNew;
  return overrides
    ? { ...resolved, user: await overrideUser(deps, resolved.user, signIn) }
    : resolved;
};
