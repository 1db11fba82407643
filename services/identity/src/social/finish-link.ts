import { WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds } from "../accounts/link-account.ts";
import { renewAccount } from "../accounts/renew-account.ts";
import type { Deps } from "../deps.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import type { UserRow } from "../users/user-row.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { findLinker } from "./find-linker.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import { lookAgain } from "./look-again.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** What it works with. */
export type FinishLinkNeeds = LinkAccountNeeds & ResolveSessionNeeds;

const refuseUnlinkable = async (
  { config }: Pick<Deps, "config">,
  here: UserRow,
  { signIn, isTheirs }: { signIn: SocialSignIn; isTheirs: boolean },
): Promise<void> => {
  const { talk, user: there, caller } = signIn;
  const { accountLinking } = config.account;
  const facts = {
    isTrusted: await isTrusted({ config }, talk.provider.id, caller),
    isVerifiedThere: there.emailVerified,
  };
  const isAllowed =
    mayLink(accountLinking, facts) &&
    (isTheirs || isAddressAllowed(accountLinking, there.email, here.email));
  if (!isAllowed) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
};

/** Links the account, or renews one that is linked to the user already; false when what was read holds no more. */
const linkOnce = async (
  deps: FinishLinkNeeds,
  link: NonNullable<SignInState["link"]>,
  signIn: SocialSignIn,
): Promise<boolean> => {
  const { talk, user: there, tokens, caller } = signIn;
  const here = await findLinker(deps, link, caller);
  if (!here) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  const account = { providerId: talk.provider.id, accountId: there.id };
  const owner = await findOwner(deps, account);
  await refuseUnlinkable(deps, here, { signIn, isTheirs: owner?.userId === here.id });
  if (owner && owner.userId !== here.id)
    throw new WireError("ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER");
  if (owner && !(await renewAccount(deps, { ...owner, ...account }, tokens)))
    throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  if (owner) return true;
  const linking = { ...account, user: here, providerName: talk.definition.name, tokens, caller };
  if (!(await linkAccount(deps, linking, { revision: here.revision }))) return false;
  await copyUserInfo(deps, here, signIn);
  return true;
};

/**
 * Links the account that a browser has come back with. One that is linked to the user already gets its new tokens, and so
 * further scopes. Throws `UNABLE_TO_LINK_ACCOUNT` and `ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER`.
 */
export const finishLink = async (
  deps: FinishLinkNeeds,
  link: NonNullable<SignInState["link"]>,
  signIn: SocialSignIn,
): Promise<void> => {
  const isLinked = await lookAgain(() => linkOnce(deps, link, signIn));
  if (!isLinked) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
};
