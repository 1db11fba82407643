import { operations } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit/config";
import { isTokenPage } from "@latchkey/service-kit/http";
import type { FastifyInstance } from "fastify";
import { compileTrustedProxies, isProxyPeer } from "../address/trusted-proxies.ts";
import type { GatewayConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { isAllowedRedirect } from "../origins/redirect-target.ts";
import { createBaseUrlReader } from "../origins/base-url.ts";
import { createTrustReader } from "../origins/trust.ts";
import { webPath } from "./web-path.ts";
import { servedAccountWeb } from "./webs.ts";

const { returnToApplication } = operations.identity;

/**
 * Returns the way to a trusted target. A page of another site does not see our cookie, so the identity service leads there with a one-time
 * token.
 */
const wayTo = (target: string, config: GatewayConfig): string => {
  const { enabled, callbackURLs } = config.oneTimeToken;
  if (!enabled || !isTokenPage(callbackURLs, target)) return target;
  const query = new URLSearchParams({ callbackURL: target });
  return `${basePathOf(config)}${returnToApplication.path}?${query.toString()}`;
};

/**
 * Serves the way back from the account web to the page that sent a user there. The target is checked as every other redirect is, because
 * anyone can write it into a link. It changes nothing.
 */
export const mountReturn = (app: FastifyInstance, { config }: Pick<Deps, "config">): void => {
  const place = webPath(servedAccountWeb, config);
  if (!place || "hindrance" in place) return;
  const { path } = place;
  const isTrustedProxy = compileTrustedProxies(config.trustedProxies);
  const readBaseUrl = createBaseUrlReader(config);
  const readTrust = createTrustReader(config);
  const { metricsName } = servedAccountWeb;
  const options = { config: { metricsName }, exposeHeadRoute: true };
  app.get(`${path}/return`, options, async (request, reply) => {
    const { redirect_to: target } = request.query as { redirect_to?: unknown };
    const { origin } = readBaseUrl(request, isProxyPeer(isTrustedProxy, request.socket));
    const { isTrusted } = await readTrust(request, origin);
    return typeof target === "string" && isAllowedRedirect(target, isTrusted)
      ? reply.redirect(wayTo(target, config), 302)
      : reply.redirect(`${path}/error?error=invalid_callback_url`, 302);
  });
};
