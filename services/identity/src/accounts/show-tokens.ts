import type { ProviderTokens } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Forbids caches to store profiles and tokens of a provider. */
export const unkept = { "cache-control": "no-store" } as const;

/** Returns tokens in the form of the reply. */
export const showTokens = (
  { config }: Pick<Deps, "config">,
  { refreshToken, ...tokens }: ProviderTokens,
) => ({
  reply: config.account.returnRefreshToken ? { ...tokens, refreshToken } : tokens,
  headers: unkept,
});
