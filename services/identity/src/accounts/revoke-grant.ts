import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { ProviderError, openProviderClient } from "../providers/provider-client.ts";
import { findAccountOwner } from "../rows/accounts.ts";

type Needs = Pick<Deps, "clock" | "db" | "logger" | "outbound" | "providers">;
type Unlinked = Event<"account.unlinked">["data"];

/**
 * Checks whether the same user has linked the account again. Many providers end the whole grant when one token is
 * revoked, which would break the new link. If another user has linked it, the token must be revoked all the same: the
 * former user may still hold it. The new user gets new tokens by signing in, should theirs end with it.
 */
const isLinkedAgain = async (
  deps: Needs,
  { userId, providerId, accountId }: Unlinked,
): Promise<boolean> =>
  accountId !== undefined &&
  (await findAccountOwner(deps.db, { providerId, accountId }))?.userId === userId;

/**
 * Revokes the grant of an unlinked account at its provider. Does nothing if the provider has no revocation endpoint or
 * the user has linked the account again. Revoking twice does no harm.
 *
 * Rejects if the provider fails, so that the event is retried. A refusal is final. Logs each grant that was not revoked.
 */
export const revokeGrant = async (
  deps: Needs,
  { data }: Event<"account.unlinked">,
): Promise<void> => {
  const { providerId } = data;
  const provider = deps.providers.get(providerId);
  if (!provider) return;
  if (await isLinkedAgain(deps, data)) {
    deps.logger.info({ provider: providerId }, "account was linked again, keeping its grant");
    return;
  }
  const { revokeToken } = await import("../providers/revoke-token.ts");
  try {
    await revokeToken(await openProviderClient(deps, provider), data);
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.isFinal) throw error;
    deps.logger.warn(
      { provider: providerId, reason: error.message },
      "provider refused to revoke a grant",
    );
  }
};
