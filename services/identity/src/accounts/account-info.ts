import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import { readUser, type SocialUser } from "../providers/read-user.ts";
import { openProviderClient } from "../providers/provider-client.ts";
import { readClaims } from "../providers/token-answer.ts";
import type { ProviderAccount } from "./find-provider-account.ts";
import { findNamedAccount, type NamedAccount } from "./queries.ts";
import type { RefreshAccountNeeds } from "./refresh-account.ts";
import { unkept } from "./show-tokens.ts";
import { validTokens } from "./valid-tokens.ts";

type AccountInfo = typeof operations.identity.accountInfo;
type ReadAccountInfo = typeof operations.identity.readAccountInfo;

const findAccount = async (
  { db, providers }: Pick<Deps, "db" | "providers">,
  named: NamedAccount,
): Promise<ProviderAccount> => {
  const account = await findNamedAccount(db, named);
  if (!account) throw new WireError("ACCOUNT_NOT_FOUND");
  const provider = providers.get(account.providerId);
  const message = `Provider account provider is ${account.providerId} but it is not configured`;
  if (!provider) throw new WireError("PROVIDER_IS_NOT_CONFIGURED", { message });
  return { provider, account };
};

const show = ({ id, name = "", email, image, emailVerified, mapped }: SocialUser) => ({
  ...mapped,
  id,
  name,
  email: email ?? null,
  image: image ?? null,
  emailVerified,
});

/** Returns the profile that the provider of one of the caller's accounts reports right now. Stores none of it. */
export const accountInfo = async (
  deps: RefreshAccountNeeds,
  { body, query, caller, session }: Call<AccountInfo> | Call<ReadAccountInfo>,
): Promise<Answer<OperationReply<AccountInfo>>> => {
  const { accountId } = body ?? query;
  const found = await findAccount(deps, { userId: session.user.id, accountId });
  const { provider, account } = found;
  const { tokens, client } = await validTokens(deps, found, caller);
  const answer = { tokens, claims: readClaims(tokens.idToken), answer: {} };
  const told = { providerId: provider.id, caller };
  // Reuses the client of a refresh, so that refresh and profile request share one deadline, which is below the client's
  // timeout.
  const read = await askProvider(deps, told, async () =>
    readUser(client ?? (await openProviderClient(deps, provider)), answer, {
      accountId: account.accountId,
    }),
  );
  if (!read) throw new WireError("FAILED_TO_GET_USER_INFO");
  const { id, providerId } = account;
  const reply = {
    user: show(read.user),
    account: { id, providerId, accountId: account.accountId },
    data: read.data,
  };
  return { reply, headers: unkept };
};
