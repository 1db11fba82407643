import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { pageHeaders } from "../http/page-headers.ts";
import {
  accountLanding,
  isLanding,
  landingPage,
  landingPagePolicy,
} from "../pages/landing-page.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { webPath } from "../web/web-path.ts";
import { accountWeb } from "../web/webs.ts";

/**
 * Answers a browser that followed a mailed link without an application: by a page of the account web, or by a plain one if that is off.
 * Returns false for any other request: a program gets the bare 404.
 */
export const answerLanding = (
  config: GatewayConfig,
  { method, headers: { accept = "" }, raw: { url = "" } }: FastifyRequest,
  reply: FastifyReply,
): boolean => {
  if (method !== "GET" || !accept.includes("text/html")) return false;
  const [beforeQuery = "", search = ""] = url.split(/\?(.*)/s);
  const path = canonicalPath(beforeQuery);
  if (path === undefined || !isLanding(path)) return false;
  const query = new URLSearchParams(search);
  const account = config.appURLs.length === 0 ? webPath(accountWeb, config) : undefined;
  if (account && "path" in account) {
    reply.redirect(account.path + accountLanding(path, query), 302);
    return true;
  }
  reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(landingPagePolicy))
    .send(landingPage(config, { path, query }));
  return true;
};
