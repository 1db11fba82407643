import type { Caller } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/**
 * Returns whether the options trust a provider's assertions about addresses. The option is a list, or a function that is
 * called for each request.
 */
export const isTrusted = async (
  { config }: Pick<Deps, "config">,
  providerId: string,
  { baseUrl, address, userAgent }: Caller,
): Promise<boolean> => {
  const { trustedProviders } = config.account.accountLinking;
  const trusted =
    typeof trustedProviders === "function"
      ? await trustedProviders({ baseUrl, address, userAgent })
      : trustedProviders;
  return trusted.includes(providerId);
};
