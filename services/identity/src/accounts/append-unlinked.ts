import { appendEvent } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { openTokens, type RestingTokens } from "./account-tokens.ts";

/** What it works with. */
export type AppendUnlinkedNeeds = Pick<
  Deps,
  "clock" | "config" | "newEventId" | "providers" | "ring"
>;

/**
 * Has the provider of an account that is no more end what it granted, by the token that lasts longest. Nothing is to be
 * done where no token rests, or the provider is not configured any more.
 */
export const appendUnlinked = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  account: RestingTokens & { userId: string; providerId: string },
): Promise<void> => {
  const { userId, providerId } = account;
  const { refreshToken, accessToken } = openTokens(deps, account);
  const token = refreshToken ?? accessToken;
  if (token === undefined || !deps.providers.has(providerId)) return;
  const kind = refreshToken === undefined ? "access_token" : "refresh_token";
  const data = { userId, providerId, token, kind } as const;
  await appendEvent(trx, deps, { name: "account.unlinked", data });
};
