import { WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds, linkToUnproven } from "../accounts/link-account.ts";
import { renewAccount } from "../accounts/renew-account.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { isTrusted } from "./is-trusted.ts";
import { mayLinkByAddress } from "./link-rules.ts";
import { lookAgain } from "./look-again.ts";
import { overrideUser } from "./override-user.ts";
import { registerSocialUser, type RegisterSocialNeeds } from "./register-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** What it works with. */
export type ResolveSocialNeeds = LinkAccountNeeds & RegisterSocialNeeds;

export interface ResolvedSocialUser {
  user: UserRow;
  isNew: boolean;
}

/** The user who has the account; undefined when nobody has, be it that it was unlinked at this moment. */
const signInLinked = async (
  deps: ResolveSocialNeeds,
  { talk, user: there, tokens }: SocialSignIn,
): Promise<UserRow | undefined> => {
  const account = { providerId: talk.provider.id, accountId: there.id };
  const owner = await findOwner(deps, account);
  const user = owner && (await findUser(deps, { id: owner.userId }));
  if (!owner || !user) return undefined;
  if (!deps.config.account.updateAccountOnSignIn) return user;
  const outcome = await renewAccount(deps, { ...owner, ...account }, tokens);
  return outcome === "gone" ? undefined : user;
};

/** Links the account to who has its address; false when what was read holds no more. */
const linkByAddress = async (
  deps: ResolveSocialNeeds,
  here: UserRow,
  { talk, user: there, tokens, caller }: SocialSignIn,
): Promise<boolean> => {
  const { provider, definition } = talk;
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
  return emailVerified
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
 * The user of somebody whom a provider vouches for: the one who has the account, the one who has the address, or a new
 * one. Of several at once with one account all come to the same user. Throws `ACCOUNT_NOT_LINKED`, `SIGNUP_DISABLED`,
 * `UNABLE_TO_LINK_ACCOUNT` and `UNABLE_TO_CREATE_USER`.
 */
export const resolveSocialUser = async (
  deps: ResolveSocialNeeds,
  signIn: SocialSignIn,
): Promise<ResolvedSocialUser> => {
  const resolved = await lookAgain(() => resolveOnce(deps, signIn));
  if (!resolved) throw new WireError("UNABLE_TO_CREATE_USER");
  const overrides = signIn.talk.provider.options.overrideUserInfoOnSignIn && !resolved.isNew;
  return overrides
    ? { ...resolved, user: await overrideUser(deps, resolved.user, signIn) }
    : resolved;
};
