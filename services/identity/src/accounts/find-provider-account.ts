import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { Provider } from "../providers/provider-client.ts";
import { findNamedAccount, type NamedAccount, type TokenAccount } from "./queries.ts";

/** A user's account together with its provider. */
export interface ProviderAccount {
  provider: Provider;
  account: TokenAccount;
}

/** Returns the named account of a user. Throws `PROVIDER_IS_NOT_SUPPORTED` and `ACCOUNT_NOT_FOUND`. */
export const findProviderAccount = async (
  { db, providers }: Pick<Deps, "db" | "providers">,
  named: NamedAccount & { providerId: string },
): Promise<ProviderAccount> => {
  const { providerId } = named;
  const provider = providers.get(providerId);
  const message = `Provider ${providerId} is not supported.`;
  if (!provider) throw new WireError("PROVIDER_IS_NOT_SUPPORTED", { message });
  const account = await findNamedAccount(db, named);
  if (!account) throw new WireError("ACCOUNT_NOT_FOUND");
  return { provider, account };
};
