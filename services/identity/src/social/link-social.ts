import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, isStale } from "@latchkey/service-kit";
import type { ProviderClient } from "../providers/provider-client.ts";
import type { UserRow } from "../users/user-row.ts";
import { findProviderClient, type FindProviderClientNeeds } from "./find-provider-client.ts";
import { isTrusted } from "./is-trusted.ts";
import { isAddressAllowed, mayLink } from "./link-rules.ts";
import { type LinkAttempt, type LinkManner, linkOnce, type LinkOnceNeeds } from "./link-once.ts";
import { lookAgain } from "./look-again.ts";
import { type ClientIdTokenInput, readClientIdTokenUser } from "./sign-in-with-id-token.ts";
import { startFlow } from "./start-flow.ts";

type LinkSocial = typeof operations.identity.linkSocial;
type Needs = FindProviderClientNeeds & LinkOnceNeeds;

const linkOf = ({ user, session }: Call<LinkSocial>["session"]) => ({
  userId: user.id,
  sessionToken: session.token,
});

/** By option, linking needs a fresh session, as unlinking does. */
const refuseStale = ({ config, clock }: Needs, { session }: Call<LinkSocial>["session"]): void => {
  const freshness = { now: clock(), freshAgeSeconds: config.session.freshAge };
  const { requireFreshSession } = config.account.accountLinking;
  if (requireFreshSession && isStale(session.updatedAt, freshness))
    throw new WireError("SESSION_IS_NOT_FRESH");
};

const refuseUnlinkable = async (
  { config }: Needs,
  here: UserRow,
  { client, user: there, caller }: LinkAttempt["signIn"],
): Promise<void> => {
  const { accountLinking } = config.account;
  const facts = {
    isTrusted: await isTrusted({ config }, client.provider.id, caller),
    isVerifiedThere: there.emailVerified,
  };
  if (!mayLink(accountLinking, facts))
    throw new WireError("ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED");
  if (!isAddressAllowed(accountLinking, there.email, here.email))
    throw new WireError("ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED");
};

const linkClientIdToken = async (
  deps: Needs,
  call: Call<LinkSocial>,
  { client, idToken }: { client: ProviderClient; idToken: ClientIdTokenInput },
): Promise<void> => {
  const { caller, session } = call;
  const signIn = {
    ...(await readClientIdTokenUser(deps, client, { idToken, caller })),
    client,
    caller,
  };
  const attempt = { link: linkOf(session), signIn };
  const manner: LinkManner = {
    gone: new WireError("UNAUTHORIZED"), // signed out meanwhile
    taken: new WireError("SOCIAL_ACCOUNT_ALREADY_LINKED", { status: 409 }),
    refuse: async (here, isTheirs) => {
      if (!isTheirs) await refuseUnlinkable(deps, here, signIn);
    },
    renew: async () => true,
  };
  const refusal = new WireError("ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT");
  const isLinked = await lookAgain(() => linkOnce(deps, attempt, manner)).catch(
    (error: unknown) => {
      const isRefused = error instanceof WireError && error.code === "UNABLE_TO_LINK_ACCOUNT";
      throw isRefused ? refusal : error;
    },
  );
  if (!isLinked) throw refusal;
};

/** Starts a flow to link an account to the caller, or links the account of an id token that the client brings. */
export const linkSocial = async (
  deps: Needs,
  call: Call<LinkSocial>,
): Promise<Answer<OperationReply<LinkSocial>>> => {
  const { body, caller, session } = call;
  refuseStale(deps, session);
  const client = await findProviderClient(deps, body.provider, caller);
  const { idToken } = body;
  if (idToken) {
    await linkClientIdToken(deps, call, { client, idToken });
    return { reply: { redirect: false, url: "", status: true } };
  }
  const link = linkOf(session);
  return startFlow(deps, client, { request: body, caller, link });
};
