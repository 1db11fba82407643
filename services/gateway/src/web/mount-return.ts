import type { FastifyInstance } from "fastify";
import { compileTrustedProxies, isProxyPeer } from "../address/trusted-proxies.ts";
import type { Deps } from "../deps.ts";
import { isAllowedRedirect } from "../origins/redirect-target.ts";
import { createBaseUrlReader } from "../pipeline/base-url.ts";
import { createTrustReader } from "../pipeline/trust.ts";
import { webPath } from "./web-path.ts";
import { accountWeb } from "./webs.ts";

/**
 * Serves the way back from the account web to the page that sent a user there. The target is checked as every other redirect is, because
 * anyone can write it into a link. It changes nothing.
 */
export const mountReturn = (app: FastifyInstance, { config }: Pick<Deps, "config">): void => {
  const place = webPath(accountWeb, config);
  if (!place || "hindrance" in place) return;
  const { path } = place;
  const isTrustedProxy = compileTrustedProxies(config.trustedProxies);
  const readBaseUrl = createBaseUrlReader(config);
  const readTrust = createTrustReader(config);
  const { metricsName } = accountWeb;
  app.get(`${path}/return`, { config: { metricsName } }, async (request, reply) => {
    const { redirect_to: target } = request.query as { redirect_to?: unknown };
    const { origin } = readBaseUrl(request, isProxyPeer(isTrustedProxy, request.socket));
    const { isTrusted } = await readTrust(request, origin);
    return typeof target === "string" && isAllowedRedirect(target, isTrusted)
      ? reply.redirect(target, 302)
      : reply.redirect(`${path}/error?error=invalid_callback_url`, 302);
  });
};
