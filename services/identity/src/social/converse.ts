import { type Caller, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import { openTalk, type Talk } from "../providers/talk.ts";

/** What it works with. */
export type ConverseNeeds = Pick<Deps, "clock" | "logger" | "outbound" | "providers">;

/** Until then a failed discovery is not tried again. */
const retryAfterSeconds = 10;

/** Begins to talk with a configured provider; throws `PROVIDER_NOT_FOUND`, or 503 while it cannot be discovered. */
export const converse = async (
  deps: ConverseNeeds,
  providerId: string,
  caller: Caller,
): Promise<Talk> => {
  const provider = deps.providers.get(providerId);
  if (!provider) throw new WireError("PROVIDER_NOT_FOUND");
  const talk = await askProvider(deps, { providerId, caller }, () => openTalk(deps, provider));
  if (!talk) throw new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds });
  return talk;
};
