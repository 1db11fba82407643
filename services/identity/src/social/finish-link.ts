import { type Caller, type AccountRow, WireError } from "@latchkey/contracts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { linkAccount, type LinkAccountNeeds, linkAndProve } from "../accounts/link-account.ts";
import { findAccountOwner } from "../rows/accounts.ts";
import { vouchesFor, isTrusted, isAddressAllowed, mayLink } from "./link-rules.ts";
import { renewAccount } from "../accounts/renew-account.ts";

/** The user who links an account. */
interface Linker {
  user: UserRow;
  /** When the session in which the linking began was created. */
  sessionCreatedAt: Date;
}

/**
 * Returns the user for whom a linking was begun. The session that began it must still be valid, or a signed-out attacker
 * could return with the linked account. A user who is now signed in in this browser must be the same one.
 *
 * Two guards must hold until the linking is written. The first is the user's revision: the user is read before the
 * session, and each end of sessions increments it. The second is the session's creation time: the sessions of a claimed
 * user end shortly after the claim, and are found until then.
 */
const findLinker = async (
  deps: ResolveSessionNeeds,
  { userId, sessionToken }: NonNullable<SignInState["link"]>,
  caller: Caller,
): Promise<Linker | undefined> => {
  const user = await findUser(deps, { id: userId });
  const resolve = (of: Caller) => resolveSession(deps, of, { disableRefresh: true });
  const begun = await resolve({ ...caller, sessionToken });
  const current = caller.sessionToken === sessionToken ? begun : await resolve(caller);
  const isTheirs = begun?.user.id === userId && (current ?? begun).user.id === userId;
  return user && isTheirs ? { user, sessionCreatedAt: begun.session.createdAt } : undefined;
};

/** Copies name and image of a linked account to the user if the option is on. A failure does not undo the linking. */
const copyUserInfo = async (
  deps: ChangeUserNeeds & Pick<Deps, "logger">,
  here: UserRow,
  { user: there, caller }: Pick<SocialSignIn, "user" | "caller">,
): Promise<void> => {
  if (!deps.config.account.accountLinking.updateUserInfoOnLink) return;
  const change = {
    ...(there.name === undefined ? {} : { name: there.name }),
    ...(there.image === undefined ? {} : { image: there.image }),
  };
  try {
    await changeUser(deps, { user: here, change, action: "user.info-copied", caller });
  } catch (error) {
    deps.logger.warn({ err: error }, "failed to copy name and image of a linked account");
  }
};

/** More conflicts in a row than this are not a coincidence. */
const attemptsMax = 4;

/** Repeats an act that returns undefined because a concurrent change has made its data outdated. */
export const lookAgain = async <T>(
  act: () => Promise<T | false | undefined>,
): Promise<T | undefined> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await act();
    if (outcome) return outcome;
  }
  return undefined;
};

export type LinkOnceNeeds = LinkAccountNeeds & ResolveSessionNeeds;

/** An account that a signed-in user links. */
export interface LinkAttempt {
  link: NonNullable<SignInState["link"]>;
  signIn: Pick<SocialSignIn, "client" | "user" | "tokens" | "caller">;
}

/** The differences between the ways to link. */
export interface LinkManner {
  /** Thrown if the session of the linking is no longer the user's. */
  gone: WireError;
  /** Thrown if another user has linked the account. */
  taken: WireError;
  /** Throws if the options forbid the linking. */
  refuse: (here: UserRow, isTheirs: boolean) => Promise<void>;
  /** Handles an account that is linked to the user already. Returns false if it no longer is. */
  renew: (account: AccountRow) => Promise<boolean>;
}

/** Links the account, or renews one that is linked to the user already. Returns false if the data read before is outdated. */
export const linkOnce = async (
  deps: LinkOnceNeeds,
  { link: begun, signIn }: LinkAttempt,
  { gone, taken, refuse, renew }: LinkManner,
): Promise<boolean> => {
  const { client, user: there, tokens, caller } = signIn;
  const linker = await findLinker(deps, begun, caller);
  if (!linker) throw gone;
  const { user: here, sessionCreatedAt } = linker;
  const account = { providerId: client.provider.id, accountId: there.id };
  const owner = await findAccountOwner(deps.db, account);
  await refuse(here, owner?.userId === here.id);
  if (owner && owner.userId !== here.id) throw taken;
  if (owner) return renew({ ...owner, ...account });
  const linking = { ...account, user: here, providerName: client.definition.name, tokens, caller };
  const guard = { revision: here.revision, sessionCreatedAt };
  // If a mailed link alone verified the address, the session may be that of its owner, and the password a stranger's. So the
  // linking proves nothing, and the next sign-in at the provider claims the user.
  const isFirstProof = vouchesFor(there, here) && !here.emailVerified;
  const link = isFirstProof ? linkAndProve : linkAccount;
  if (!(await link(deps, linking, guard))) return false;
  await copyUserInfo(deps, here, signIn);
  return true;
};

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
