import type { ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** What a provider says of a user, and what opens their account there, is kept by nobody on the way. */
export const unkept = { "cache-control": "no-store" } as const;

/** Tokens as clients are shown them. */
export const showTokens = (
  { config }: Pick<Deps, "config">,
  { refreshToken, ...tokens }: ProviderTokens,
) => ({
  reply: config.account.returnRefreshToken ? { ...tokens, refreshToken } : tokens,
  headers: unkept,
});
