import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { revokeToken } from "../providers/revoke-token.ts";
import { openTalk } from "../providers/talk.ts";
import { findOwner } from "./find-owner.ts";

type Needs = Pick<Deps, "clock" | "db" | "logger" | "outbound" | "providers">;
type Unlinked = Event<"account.unlinked">["data"];

/** With one token many providers end all that somebody granted, and so what a later linking works with. */
const isLinkedAgain = async (deps: Needs, { providerId, accountId }: Unlinked): Promise<boolean> =>
  accountId !== undefined && (await findOwner(deps, { providerId, accountId })) !== undefined;

/**
 * Has the provider of an account that was unlinked end what it granted, where it offers that and nobody has linked the
 * account again; what is ended already stays so. Rejects where the provider fails, so that it is asked again; one that
 * refuses is not, which the log is told.
 */
export const revokeGrant = async (
  deps: Needs,
  { data }: Event<"account.unlinked">,
): Promise<void> => {
  const { providerId } = data;
  const provider = deps.providers.get(providerId);
  if (!provider || (await isLinkedAgain(deps, data))) return;
  try {
    await revokeToken(await openTalk(deps, provider), data);
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.isFinal) throw error;
    deps.logger.warn({ provider: providerId, reason: error.message }, "a grant was not revoked");
  }
};
