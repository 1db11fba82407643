import type { Caller, Operation } from "@latchkey/contracts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Deps } from "../deps.ts";
import { isCallback } from "./is-callback.ts";
import type { Inbound } from "./read-inbound.ts";

const userAgentLengthMax = 1_000;

/** Who asks, as the owner of the operation is told it. */
export const callerOf = (
  { config, jar }: Pick<Deps, "config"> & { jar: Pick<SessionCookieJar, "readState"> },
  { inbound, operation }: { inbound: Inbound; operation: Operation },
  { token, browserSession, parkedSession }: SessionCookies,
): Caller => {
  const { request, baseUrl, address } = inbound;
  const { "user-agent": userAgent = "", cookie } = request.headers;
  const signInState = isCallback(operation) ? jar.readState(cookie) : undefined;
  return {
    requestId: request.id,
    operation: operation.name,
    baseUrl: baseUrl.url,
    address: config.advanced.ipAddress.disableIpTracking ? "" : (address ?? ""),
    userAgent: userAgent.slice(0, userAgentLengthMax),
    ...(token === undefined ? {} : { sessionToken: token }),
    ...(browserSession ? { browserSession: true } : {}),
    ...(parkedSession ? { parkedSession } : {}),
    ...(signInState === undefined ? {} : { signInState }),
  };
};
