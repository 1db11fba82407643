import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { revokeToken } from "../providers/revoke-token.ts";
import { openTalk } from "../providers/talk.ts";
import { findOwner } from "./find-owner.ts";

type Needs = Pick<Deps, "clock" | "db" | "logger" | "outbound" | "providers">;
type Unlinked = Event<"account.unlinked">["data"];

/**
 * With one token many providers end all that somebody granted, and so what a later linking works with. Where that is the
 * same user's, the token is no stranger's and the grant in use. Where it is another user's, who was this user may hold the
 * token still and must lose it; the other gets new ones by signing in, should theirs end with it.
 */
const isLinkedAgain = async (
  deps: Needs,
  { userId, providerId, accountId }: Unlinked,
): Promise<boolean> =>
  accountId !== undefined && (await findOwner(deps, { providerId, accountId }))?.userId === userId;

/**
 * Has the provider of an account that was unlinked end what it granted, where it offers that and the user has not linked the
 * account again; what is ended already stays so. Rejects where the provider fails, so that it is asked again; one that
 * refuses is not. The log is told of what was not ended.
 */
export const revokeGrant = async (
  deps: Needs,
  { data }: Event<"account.unlinked">,
): Promise<void> => {
  const { providerId } = data;
  const provider = deps.providers.get(providerId);
  if (!provider) return;
  if (await isLinkedAgain(deps, data)) {
    deps.logger.info({ provider: providerId }, "a grant goes on: its account is linked again");
    return;
  }
  try {
    await revokeToken(await openTalk(deps, provider), data);
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.isFinal) throw error;
    deps.logger.warn({ provider: providerId, reason: error.message }, "a grant was not revoked");
  }
};
