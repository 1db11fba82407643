import type { EventData } from "@latchkey/contracts";
import { appendEvents } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { openTokens, type RestingTokens } from "./account-tokens.ts";

/** What it works with. */
export type AppendUnlinkedNeeds = Pick<
  Deps,
  "clock" | "config" | "newEventId" | "providers" | "ring"
>;

/** An account that is no more. */
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
 * Has the providers of accounts that are no more end what they granted, by the token that lasts longest. Nothing is to be
 * done where no token rests, or the provider is not configured any more.
 */
export const appendUnlinked = (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  accounts: readonly UnlinkedAccount[],
): Promise<void> =>
  appendEvents(trx, deps, {
    name: "account.unlinked",
    data: accounts.flatMap((account) => unlinked(deps, account)),
  });
