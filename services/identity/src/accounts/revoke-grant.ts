import type { Event } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { revokeToken } from "../providers/revoke-token.ts";
import { openTalk } from "../providers/talk.ts";

/**
 * Has the provider of an account that was unlinked end what it granted, where it offers that; what is ended already
 * stays so. Rejects where the provider fails, so that it is asked again.
 */
export const revokeGrant = async (
  deps: Pick<Deps, "clock" | "outbound" | "providers">,
  { data: { providerId, token, kind } }: Event<"account.unlinked">,
): Promise<void> => {
  const provider = deps.providers.get(providerId);
  if (provider) await revokeToken(await openTalk(deps, provider), { token, kind });
};
