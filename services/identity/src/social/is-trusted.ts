import type { Caller } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Whether the options take a provider's word on addresses; a list, or asked anew for each request. */
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
