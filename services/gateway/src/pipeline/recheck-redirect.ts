import type { Operation } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { callbackTarget } from "../origins/callback-target.ts";
import { isCallback } from "./is-callback.ts";
import type { Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

/** Checks the redirect of a callback's response once more. Any other response is unchanged. */
export const recheckRedirect = (
  { config }: Pick<Deps, "config">,
  { inbound, operation, trust }: { inbound: Inbound; operation: Operation; trust: Trust },
  answer: Forwarded,
): Forwarded => {
  const { location } = answer.headers;
  if (!isCallback(operation) || typeof location !== "string") return answer;
  const places = { baseUrl: inbound.baseUrl.url, errorUrl: config.errorURL };
  const checked = callbackTarget(location, places, trust.isTrusted);
  return { ...answer, headers: { ...answer.headers, location: checked } };
};
