import { WireError } from "@latchkey/contracts";
import { renewAccount } from "../accounts/renew-account.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import { type LinkManner, linkOnce, type LinkOnceNeeds } from "./link-once.ts";
import { lookAgain } from "./look-again.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

const refuseUnlinkable = async (
  { config }: Pick<Deps, "config">,
  here: UserRow,
  { signIn, isTheirs }: { signIn: SocialSignIn; isTheirs: boolean },
): Promise<void> => {
  const { client, user: there, caller } = signIn;
  const { accountLinking } = config.account;
  const facts = {
    isTrusted: await isTrusted({ config }, client.provider.id, caller),
    isVerifiedThere: there.emailVerified,
  };
  const isAllowed =
    mayLink(accountLinking, facts) &&
    (isTheirs || isAddressAllowed(accountLinking, there.email, here.email));
  if (!isAllowed) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
};

/**
 * Links the account with which the browser has returned. An account that is linked to the user already gets the new
 * tokens, and with them further scopes. Throws `UNABLE_TO_LINK_ACCOUNT` and `ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER`.
 */
export const finishLink = async (
  deps: LinkOnceNeeds,
  link: NonNullable<SignInState["link"]>,
  signIn: SocialSignIn,
): Promise<void> => {
  const unable = new WireError("UNABLE_TO_LINK_ACCOUNT");
  const manner: LinkManner = {
    gone: unable,
    taken: new WireError("ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER"),
    refuse: (here, isTheirs) => refuseUnlinkable(deps, here, { signIn, isTheirs }),
    renew: async (account) => {
      const outcome = await renewAccount(deps, account, signIn.tokens);
      if (outcome === "vetoed") throw unable;
      return outcome === "renewed";
    },
  };
  const isLinked = await lookAgain(() => linkOnce(deps, { link, signIn }, manner));
  if (!isLinked) throw unable;
};
