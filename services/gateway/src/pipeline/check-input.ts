import { type Operation, WireError } from "@latchkey/contracts";
import { readBody } from "@latchkey/service-kit";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import { appOriginOf } from "../origins/app-origin.ts";
import { checkOrigin, explainRefusedOrigin } from "../origins/origin-check.ts";
import { checkRedirects } from "./check-redirects.ts";
import { headerOf, type Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

const refuseForeignOrigin = ({ request }: Inbound, { isTrusted }: Trust): void => {
  const { cookie, referer } = request.headers;
  const origin = request.headers.origin ?? appOriginOf(request.headers);
  const secFetchSite = headerOf(request, "sec-fetch-site");
  if (checkOrigin({ cookie, origin, referer, secFetchSite }, isTrusted) === "pass") return;
  const hint = explainRefusedOrigin(origin ?? referer);
  request.log.warn({ reqId: request.id, hint }, "refused a request because of its origin");
  throw new WireError("INVALID_ORIGIN", { hint });
};

export interface InputChecks {
  trust: Trust;
  checksOrigin: boolean;
  jar: Pick<SessionCookieJar, "holdsOwn">;
}

const checkPost = async (
  inbound: Inbound,
  operation: Operation,
  { trust, checksOrigin, jar }: InputChecks,
): Promise<void> => {
  const { request } = inbound;
  const body = operation.redirects
    ? await readBody(request.headers["content-type"], request.body as Buffer | undefined)
    : undefined;
  // Pages of providers post from a foreign origin by design, and then without our cookies. Other cookies, such as those of a load balancer,
  // may be present, because browsers differ in which cookies they send.
  const mayBeForeign =
    operation.postedByProviders === true && !jar.holdsOwn(request.headers.cookie);
  if (checksOrigin && !mayBeForeign) refuseForeignOrigin(inbound, trust);
  checkRedirects(operation, { query: request.query, body }, trust.isTrusted);
};

/**
 * Refuses a POST from a foreign page, and any request with a foreign redirect URL. A body is parsed only if it can contain one, and is
 * forwarded unchanged.
 */
export const checkInput = (
  inbound: Inbound,
  operation: Operation,
  checks: InputChecks,
): Promise<void> | undefined => {
  if (operation.method !== "GET") return checkPost(inbound, operation, checks);
  const { query } = inbound.request;
  checkRedirects(operation, { query, body: undefined }, checks.trust.isTrusted);
  return undefined;
};
