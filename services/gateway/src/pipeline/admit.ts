import { type Operation, WireError } from "@latchkey/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import type { ChooseJar, SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Deps } from "../deps.ts";
import type { Decision } from "../limits/limiter.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { createInboundReader, type Inbound } from "../http/read-inbound.ts";
import { createTrustReader, type Trust } from "../origins/trust.ts";
import { accountLanding, isLanding, landingPage } from "../pages/landing-page.ts";
import { lookFor } from "../pages/looks.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { webPath } from "../web/web-path.ts";
import { accountWeb } from "../web/webs.ts";
import { allowAnyOrigin, allowOrigin, answerPreflight, isPreflight } from "./cors.ts";

/** Throws `TOO_MANY_REQUESTS` unless the request is allowed. */
const refuseOverLimit = (decision: Decision): void => {
  if (!decision.allowed)
    throw new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds: decision.retryAfterSeconds });
};

/** An admitted request, until it is answered. */
export interface Admitted {
  inbound: Inbound;
  operation: Operation;
  trust: Trust;
  jar: SessionCookieJar;
}

/**
 * Answers a browser that followed a mailed link without an application: by a page of the account web, or by a plain one if that is off.
 * Returns false for any other request: a program gets the bare 404.
 */
const answerLanding = (
  config: GatewayConfig,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean => {
  const {
    method,
    headers: { accept = "" },
    raw: { url = "" },
  } = request;
  if ((method !== "GET" && method !== "HEAD") || !accept.includes("text/html")) return false;
  const [beforeQuery = "", search = ""] = url.split(/\?(.*)/s);
  const path = canonicalPath(beforeQuery);
  if (path === undefined || !isLanding(path)) return false;
  const query = new URLSearchParams(search);
  const account = config.appURLs.length === 0 ? webPath(accountWeb, config) : undefined;
  if (account && "path" in account) {
    reply.redirect(account.path + (accountLanding(path, search) ?? "/done"), 302);
    return true;
  }
  const { page: look } = lookFor(config.looks, request);
  reply
    .type("text/html; charset=utf-8")
    .headers(pageHeaders(look.policy("'none'")))
    .send(landingPage({ ...config, look }, { path, query }));
  return true;
};

/**
 * Creates the admission of a request before its body is read, in an order that clients can observe: base URL, path, disabled path, rate
 * limit, operation, captcha. It returns undefined if it has answered the request.
 */
export const createAdmission = ({
  config,
  captcha,
  limit,
  chooseJar,
}: Pick<Deps, "captcha" | "config" | "limit"> & { chooseJar: ChooseJar }) => {
  const read = createInboundReader(config);
  const readTrust = createTrustReader(config);
  /** Returns whether a request, or the one that a preflight announces, is one of a client's protocol. */
  const isOpenToPages = (request: FastifyRequest, { operation, path }: Inbound): boolean => {
    const announced = request.headers["access-control-request-method"];
    const meant =
      isPreflight(request) && path !== undefined && announced !== undefined
        ? read.match(announced, path)
        : operation;
    return meant?.protocol === "client";
  };
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted | undefined> => {
    const inbound = read(request);
    const { operation, path, address, baseUrl } = inbound;
    request.operation = operation;
    const trust = await readTrust(request, baseUrl.origin);
    const isOpen = isOpenToPages(request, inbound);
    if (isOpen) allowAnyOrigin(reply);
    const isForeign = isOpen || allowOrigin(request, reply, trust.isForeignTrusted);
    if (disabled.has(path ?? "") || disabled.has(operation?.path ?? "")) {
      reply.code(404).type("text/plain;charset=UTF-8").send("Not Found");
      return undefined;
    }
    if (isForeign && isPreflight(request)) {
      answerPreflight(request, reply);
      return undefined;
    }
    refuseOverLimit(await limit({ request, address, path: path ?? "", operation }));
    if (!operation) {
      if (!answerLanding(config, request, reply)) reply.code(404).send();
      return undefined;
    }
    // After the limit, so that a client cannot cause more provider calls than its limit allows.
    if (captcha?.isNeededFor(operation)) await captcha.check(inbound);
    return { inbound, operation, trust, jar: chooseJar(baseUrl) };
  };
};
