import { type Operation, operations } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { callbackTarget } from "../origins/callback-target.ts";
import { isCallback } from "./is-callback.ts";
import type { Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

const { adminOpenImpersonationLink } = operations.identity;

/** Checks the redirect of a callback or of an impersonation link once more. Any other response is unchanged. */
export const recheckRedirect = (
  { config }: Pick<Deps, "config">,
  { inbound, operation, trust }: { inbound: Inbound; operation: Operation; trust: Trust },
  answer: Forwarded,
): Forwarded => {
  const { location } = answer.headers;
  const isChecked = isCallback(operation) || operation.name === adminOpenImpersonationLink.name;
  if (!isChecked || typeof location !== "string") return answer;
  const places = { baseUrl: inbound.baseUrl.url, errorUrl: config.errorURL };
  const checked = callbackTarget(location, places, trust.isTrusted);
  return { ...answer, headers: { ...answer.headers, location: checked } };
};
