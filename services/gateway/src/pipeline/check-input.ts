import { type Operation, WireError } from "@latchkey/contracts";
import { readBody } from "@latchkey/service-kit";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import { checkOrigin } from "../origins/origin-check.ts";
import { checkRedirects } from "./check-redirects.ts";
import { headerOf, type Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

const refuseForeignOrigin = ({ request }: Inbound, { isTrusted }: Trust): void => {
  const { cookie, origin, referer } = request.headers;
  const secFetchSite = headerOf(request, "sec-fetch-site");
  if (checkOrigin({ cookie, origin, referer, secFetchSite }, isTrusted) === "refuse")
    throw new WireError("INVALID_ORIGIN");
};

/** What a request is checked against. */
export interface InputChecks {
  trust: Trust;
  checksOrigin: boolean;
  jar: Pick<SessionCookieJar, "holdsOwn">;
}

/**
 * Refuses a POST from a foreign page, and any request that names a foreign place to go. A body is parsed only where it
 * can name one; it goes on as it came.
 */
export const checkInput = async (
  inbound: Inbound,
  operation: Operation,
  { trust, checksOrigin, jar }: InputChecks,
): Promise<void> => {
  const { request } = inbound;
  const { query } = request;
  if (operation.method === "GET")
    return checkRedirects(operation, { query, body: undefined }, trust.isTrusted);
  const body = operation.redirects
    ? await readBody(request.headers["content-type"], request.body as Buffer | undefined)
    : undefined;
  // What pages of providers post comes from a foreign origin by design, and then without cookies of ours. Others', such as
  // a balancer's, may come along: browsers differ in what they take for theirs to send.
  const mayBeForeign =
    operation.postedByProviders === true && !jar.holdsOwn(request.headers.cookie);
  if (checksOrigin && !mayBeForeign) refuseForeignOrigin(inbound, trust);
  return checkRedirects(operation, { query, body }, trust.isTrusted);
};
