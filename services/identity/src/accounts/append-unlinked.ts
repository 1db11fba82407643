import type { EventData } from "@latchkey/contracts";
import { appendEvents } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { openTokens, type RestingTokens } from "./account-tokens.ts";

export type AppendUnlinkedNeeds = Pick<
  Deps,
  "clock" | "config" | "newEventId" | "providers" | "ring"
>;

/** An account that was deleted. */
export type UnlinkedAccount = RestingTokens & {
  userId: string;
  providerId: string;
  accountId: string;
};

const unlinked = (
  deps: AppendUnlinkedNeeds,
  { userId, providerId, accountId, ...resting }: UnlinkedAccount,
): EventData<"account.unlinked">[] => {
  const { refreshToken, accessToken } = openTokens(deps, resting);
  const token = refreshToken ?? accessToken;
  if (token === undefined || !deps.providers.has(providerId)) return [];
  const kind = refreshToken === undefined ? "access_token" : "refresh_token";
  return [{ userId, providerId, accountId, token, kind }];
};

/**
 * Publishes an event for each deleted account, so that its provider revokes the longest-lived token. Skips accounts
 * without a stored token and accounts whose provider is no longer configured.
 */
export const appendUnlinked = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  accounts: readonly UnlinkedAccount[],
): Promise<void> => {
  await appendEvents(trx, deps, {
    name: "account.unlinked",
    data: accounts.flatMap((account) => unlinked(deps, account)),
  });
};
