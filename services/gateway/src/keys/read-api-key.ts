import { type Operation, operations, WireError } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";
import { headerOf, type Inbound } from "../pipeline/read-inbound.ts";

const { getSession } = operations.identity;

/** Everywhere else a key means nothing, so that none is used up there. */
const takesKey = ({ name, access }: Operation): boolean =>
  access !== "anyone" || name === getSession.name;

const askGetter = async (
  getter: NonNullable<GatewayConfig["apiKey"]["customAPIKeyGetter"]>,
  { request: { method, headers }, path = "" }: Inbound,
): Promise<string> => {
  const key = (await getter({ method, path, headers })) ?? "";
  if (typeof key !== "string") throw new WireError("INVALID_API_KEY_GETTER");
  return key;
};

/**
 * The API key that a request shows in place of a session, where its operation needs one and the options allow it: as the
 * application's getter says, else of the first header that holds one. Throws `INVALID_API_KEY_GETTER` where the getter gives what is no text.
 */
export const readApiKey = async (
  { apiKey }: Pick<GatewayConfig, "apiKey">,
  { inbound, operation }: { inbound: Inbound; operation: Operation },
): Promise<string | undefined> => {
  const { enabled, enableSessionForAPIKeys, customAPIKeyGetter, apiKeyHeaders } = apiKey;
  if (!enabled || !enableSessionForAPIKeys || !takesKey(operation)) return undefined;
  if (customAPIKeyGetter) return (await askGetter(customAPIKeyGetter, inbound)) || undefined;
  for (const name of [apiKeyHeaders].flat()) {
    const key = headerOf(inbound.request, name);
    if (key) return key;
  }
  return undefined;
};
