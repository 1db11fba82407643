import type { AccountRow, WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds } from "../accounts/link-account.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import type { UserRow } from "../users/user-row.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { findLinker } from "./find-linker.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/** What it works with. */
export type LinkOnceNeeds = LinkAccountNeeds & ResolveSessionNeeds;

/** An account that somebody signed in links to themself. */
export interface LinkAttempt {
  link: NonNullable<SignInState["link"]>;
  signIn: Pick<SocialSignIn, "talk" | "user" | "tokens" | "caller">;
}

/** In what the ways to link differ. */
export interface LinkManner {
  /** Where the session that it was begun in is none of theirs any more. */
  gone: WireError;
  /** Where another user has the account. */
  taken: WireError;
  /** Throws where the options have it not linked. */
  refuse: (here: UserRow, isTheirs: boolean) => Promise<void>;
  /** What becomes of an account that is theirs already; false when it is not any more. */
  renew: (account: AccountRow) => Promise<boolean>;
}

/** Links the account, or renews one that is linked to the user already; false when what was read holds no more. */
export const linkOnce = async (
  deps: LinkOnceNeeds,
  { link, signIn }: LinkAttempt,
  { gone, taken, refuse, renew }: LinkManner,
): Promise<boolean> => {
  const { talk, user: there, tokens, caller } = signIn;
  const linker = await findLinker(deps, link, caller);
  if (!linker) throw gone;
  const { user: here, sessionCreatedAt } = linker;
  const account = { providerId: talk.provider.id, accountId: there.id };
  const owner = await findOwner(deps, account);
  await refuse(here, owner?.userId === here.id);
  if (owner && owner.userId !== here.id) throw taken;
  if (owner) return renew({ ...owner, ...account });
  const linking = { ...account, user: here, providerName: talk.definition.name, tokens, caller };
  const guard = { revision: here.revision, sessionCreatedAt };
  if (!(await linkAccount(deps, linking, guard))) return false;
  await copyUserInfo(deps, here, signIn);
  return true;
};
