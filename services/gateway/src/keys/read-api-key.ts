import { type Operation, operations, WireError } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";
import { headerOf, type Inbound } from "../http/read-inbound.ts";

const { getSession } = operations.identity;

/** Keys are ignored for all other operations, so that these do not count as a use. */
const takesKey = ({ name, access }: Operation): boolean =>
  access !== "anyone" || name === getSession.name;

const callGetter = async (
  getter: NonNullable<GatewayConfig["apiKey"]["customAPIKeyGetter"]>,
  { request: { method, headers }, path = "" }: Inbound,
): Promise<string | undefined> => {
  const key = (await getter({ method, path, headers })) ?? "";
  if (typeof key !== "string") throw new WireError("INVALID_API_KEY_GETTER");
  return key || undefined;
};

/**
 * Returns the API key of a request that takes the place of a session, if its operation needs one and the options allow it. The
 * application's getter has precedence over the first header with a key. Throws `INVALID_API_KEY_GETTER` if the getter returns something other than text.
 */
export const readApiKey = async (
  { apiKey }: Pick<GatewayConfig, "apiKey">,
  { inbound, operation }: { inbound: Inbound; operation: Operation },
): Promise<string | undefined> => {
  const { enabled, enableSessionForAPIKeys, customAPIKeyGetter, apiKeyHeaders } = apiKey;
  if (!enabled || !enableSessionForAPIKeys || !takesKey(operation)) return undefined;
  if (customAPIKeyGetter) return callGetter(customAPIKeyGetter, inbound);
  for (const name of [apiKeyHeaders].flat()) {
    const key = headerOf(inbound.request, name);
    if (key) return key;
  }
  return undefined;
};
