import type { AccountRow, WireError } from "@latchkey/contracts";
import { linkAccount, type LinkAccountNeeds, linkAndProve } from "../accounts/link-account.ts";
import { findAccountOwner } from "../accounts/queries.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import type { UserRow } from "../users/user-row.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { findLinker } from "./find-linker.ts";
import { vouchesFor } from "./link-rules.ts";
import type { SignInState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

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
