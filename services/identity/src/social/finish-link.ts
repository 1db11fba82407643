import { sessionActor } from "@latchkey/service-kit";
import { type Caller, WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds } from "../accounts/link-account.ts";
import { renewAccount } from "../accounts/renew-account.ts";
import type { Deps } from "../deps.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** What it works with. */
export type FinishLinkNeeds = LinkAccountNeeds & ResolveSessionNeeds;

/**
 * The user that the linking was begun for. The session that began it must not have been ended since, or whoever was thrown
 * out could come back by the account; and whoever is signed in in this browser by now must be the same.
 */
const findLinker = async (
  deps: FinishLinkNeeds,
  { userId, sessionToken }: NonNullable<SignInState["link"]>,
  caller: Caller,
): Promise<{ here: UserRow; actor: ReturnType<typeof sessionActor> }> => {
  const begun = await resolveSession(deps, { ...caller, sessionToken }, { disableRefresh: true });
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  const here = await findUser(deps, { id: userId });
  const isTheirs = begun?.user.id === userId && (current ?? begun).user.id === userId;
  if (!begun || !here || !isTheirs) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  return { here, actor: sessionActor(begun) };
};

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

/**
 * Links the account that a browser has come back with. One that is linked to the user already gets its new tokens, and so
 * further scopes. Throws `UNABLE_TO_LINK_ACCOUNT` and `ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER`.
 */
export const finishLink = async (
  deps: FinishLinkNeeds,
  link: NonNullable<SignInState["link"]>,
  signIn: SocialSignIn,
): Promise<void> => {
  const { talk, user: there, tokens, caller } = signIn;
  const { here, actor } = await findLinker(deps, link, caller);
  const account = { providerId: talk.provider.id, accountId: there.id };
  const linking = { ...account, user: here, providerName: talk.definition.name, tokens, caller };
  const owner = await findOwner(deps, account);
  await refuseUnlinkable(deps, here, { signIn, isTheirs: owner?.userId === here.id });
  if (!owner && (await linkAccount(deps, { ...linking, actor })))
    return copyUserInfo(deps, here, signIn);
  const taken = owner ?? (await findOwner(deps, account));
  if (taken?.userId !== here.id) throw new WireError("ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER");
  if (!(await renewAccount(deps, { ...taken, ...account }, tokens)))
    throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  return undefined;
};
