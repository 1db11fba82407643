import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isStale } from "@latchkey/service-kit";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds } from "../accounts/link-account.ts";
import type { Talk } from "../providers/talk.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import type { UserRow } from "../users/user-row.ts";
import { converse, type ConverseNeeds } from "./converse.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { findLinker } from "./find-linker.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import { lookAgain } from "./look-again.ts";
import { type BroughtTokens, readBroughtUser } from "./sign-in-with-id-token.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { startFlow } from "./start-flow.ts";

type LinkSocial = typeof operations.identity.linkSocial;
type Needs = ConverseNeeds & LinkAccountNeeds & ResolveSessionNeeds;

const linkOf = ({ user, session }: Call<LinkSocial>["session"]) => ({
  userId: user.id,
  sessionToken: session.token,
});

/** By option linking needs a session as fresh as unlinking does. */
const refuseStale = ({ config, clock }: Needs, { session }: Call<LinkSocial>["session"]): void => {
  const freshness = { now: clock(), freshAgeSeconds: config.session.freshAge };
  const { requireFreshSession } = config.account.accountLinking;
  if (requireFreshSession && isStale(session.updatedAt, freshness))
    throw new WireError("SESSION_IS_NOT_FRESH");
};

const refuseUnlinkable = async (
  { config }: Needs,
  here: UserRow,
  { there, trusted }: { there: SocialSignIn["user"]; trusted: boolean },
): Promise<void> => {
  const { accountLinking } = config.account;
  if (!mayLink(accountLinking, { isTrusted: trusted, isVerifiedThere: there.emailVerified }))
    throw new WireError("ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED");
  if (!isAddressAllowed(accountLinking, there.email, here.email))
    throw new WireError("ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED");
};

interface Brought extends Pick<SocialSignIn, "user" | "tokens"> {
  talk: Talk;
}

/** Links the account unless it is linked to the caller already; false when what was read holds no more. */
const linkOnce = async (
  deps: Needs,
  { caller, session }: Call<LinkSocial>,
  { talk, user: there, tokens }: Brought,
): Promise<boolean> => {
  const here = await findLinker(deps, linkOf(session), caller);
  if (!here) throw new WireError("UNAUTHORIZED"); // signed out meanwhile
  const account = { providerId: talk.provider.id, accountId: there.id };
  const owner = await findOwner(deps, account);
  if (owner?.userId === here.id) return true;
  const trusted = await isTrusted(deps, talk.provider.id, caller);
  await refuseUnlinkable(deps, here, { there, trusted });
  if (owner) throw new WireError("SOCIAL_ACCOUNT_ALREADY_LINKED", { status: 409 });
  const linking = { ...account, user: here, providerName: talk.definition.name, tokens, caller };
  if (!(await linkAccount(deps, linking, { revision: here.revision }))) return false;
  await copyUserInfo(deps, here, { user: there, caller });
  return true;
};

const linkBrought = async (
  deps: Needs,
  call: Call<LinkSocial>,
  { talk, brought }: { talk: Talk; brought: BroughtTokens },
): Promise<void> => {
  const { caller } = call;
  const read = await readBroughtUser(deps, talk, { brought, caller });
  const refusal = new WireError("ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT");
  const isLinked = await lookAgain(() => linkOnce(deps, call, { ...read, talk })).catch(
    (error: unknown) => {
      const isRefused = error instanceof WireError && error.code === "UNABLE_TO_LINK_ACCOUNT";
      throw isRefused ? refusal : error;
    },
  );
  if (!isLinked) throw refusal;
};

/** Begins to link an account to the caller, or links the one of an id token that the client has already. */
export const linkSocial = async (
  deps: Needs,
  call: Call<LinkSocial>,
): Promise<Answer<OperationReply<LinkSocial>>> => {
  const { body, caller, session } = call;
  refuseStale(deps, session);
  const talk = await converse(deps, body.provider, caller);
  const { idToken: brought } = body;
  if (brought) {
    await linkBrought(deps, call, { talk, brought });
    return { reply: { redirect: false, url: "", status: true } };
  }
  const link = linkOf(session);
  const { url, ...besides } = await startFlow(deps, talk, { request: body, caller, link });
  return { reply: { url, redirect: !body.disableRedirect }, ...besides };
};
