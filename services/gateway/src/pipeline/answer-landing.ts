import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { isLanding, landingPage, landingPagePolicy } from "../pages/landing-page.ts";
import { canonicalPath } from "../paths/canonical-path.ts";

/**
 * Answers a browser that followed a mailed link without an application. Returns false for any other request: a program gets the bare 404.
 */
export const answerLanding = (
  config: Pick<GatewayConfig, "appName" | "appURLs">,
  { method, headers: { accept = "" }, raw: { url = "" } }: FastifyRequest,
  reply: FastifyReply,
): boolean => {
  if (method !== "GET" || !accept.includes("text/html")) return false;
  const [beforeQuery = "", search = ""] = url.split(/\?(.*)/s);
  const path = canonicalPath(beforeQuery);
  if (path === undefined || !isLanding(path)) return false;
  reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(landingPagePolicy))
    .send(landingPage(config, { path, query: new URLSearchParams(search) }));
  return true;
};
