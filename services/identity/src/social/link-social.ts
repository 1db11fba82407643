import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import { findOwner } from "../accounts/find-owner.ts";
import { linkAccount, type LinkAccountNeeds } from "../accounts/link-account.ts";
import type { Deps } from "../deps.ts";
import type { Talk } from "../providers/talk.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { converse, type ConverseNeeds } from "./converse.ts";
import { copyUserInfo } from "./copy-user-info.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import { type BroughtTokens, readBroughtUser } from "./sign-in-with-id-token.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { startFlow } from "./start-flow.ts";

type LinkSocial = typeof operations.identity.linkSocial;
type Needs = ConverseNeeds & LinkAccountNeeds & Pick<Deps, "fields">;

/** By option linking needs a session as fresh as unlinking does. */
const refuseStale = ({ config, clock }: Needs, { session }: Call<LinkSocial>["session"]): void => {
  const { freshAge } = config.session;
  const age = clock() - session.updatedAt.getTime();
  if (config.account.accountLinking.requireFreshSession && freshAge > 0 && age >= freshAge * 1000)
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

const linkBrought = async (
  deps: Needs,
  { caller, session }: Call<LinkSocial>,
  { talk, brought }: { talk: Talk; brought: BroughtTokens },
): Promise<void> => {
  const { user: there, tokens } = await readBroughtUser(deps, talk, { brought, caller });
  const account = { providerId: talk.provider.id, accountId: there.id };
  const owner = await findOwner(deps, account);
  if (owner?.userId === session.user.id) return;
  const here = await findUser(deps, { id: session.user.id });
  if (!here) throw new WireError("UNAUTHORIZED");
  const trusted = await isTrusted(deps, talk.provider.id, caller);
  await refuseUnlinkable(deps, here, { there, trusted });
  const taken = new WireError("SOCIAL_ACCOUNT_ALREADY_LINKED", { status: 409 });
  if (owner) throw taken;
  const isLinked = await linkAccount(deps, {
    ...account,
    user: here,
    providerName: talk.definition.name,
    tokens,
    caller,
    actor: sessionActor(session),
  }).catch((error: unknown) => {
    const isRefused = error instanceof WireError && error.code === "UNABLE_TO_LINK_ACCOUNT";
    throw isRefused ? new WireError("ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT") : error;
  });
  if (!isLinked && (await findOwner(deps, account))?.userId !== here.id) throw taken;
  await copyUserInfo(deps, here, { user: there, caller });
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
  const link = { userId: session.user.id, sessionToken: session.session.token };
  const { url, ...besides } = await startFlow(deps, talk, { request: body, caller, link });
  return { reply: { url, redirect: !body.disableRedirect }, ...besides };
};
