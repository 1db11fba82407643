import { ownSessionHeader, twoFactorReplyHeader } from "@latchkey/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The headers with tokens that pages may read. */
const tokenHeaders = ["set-auth-token", "set-auth-jwt", twoFactorReplyHeader];
const preflightSeconds = "600";
const exposed = [...tokenHeaders, "retry-after", "x-retry-after"].join(", ");

/**
 * Allows a trusted page of another origin to read the response and send its cookies. Sends nothing to other pages. Caches store a file for
 * all pages, so they learn that the headers depend on the origin, also from the answer to a request without one.
 */
export const allowOrigin = (
  request: FastifyRequest,
  reply: FastifyReply,
  isTrusted: (origin: string) => boolean,
): boolean => {
  const { origin } = request.headers;
  if (origin !== undefined || request.operation?.servesFile) reply.header("vary", "Origin");
  if (origin === undefined) return false;
  if (origin === "null" || !isTrusted(origin)) return false;
  reply.headers({
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": exposed,
  });
  return true;
};

/** Returns whether a request is a CORS preflight. */
export const isPreflight = (request: FastifyRequest): boolean =>
  request.method === "OPTIONS" &&
  request.headers.origin !== undefined &&
  request.headers["access-control-request-method"] !== undefined;

/** Allows any page to read the response. No cookie is read there, so a page learns nothing that its own server could not. */
export const allowAnyOrigin = (reply: FastifyReply): void => {
  reply.headers({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": ["www-authenticate", ...exposed.split(", ").slice(-2)].join(
      ", ",
    ),
    "cross-origin-resource-policy": "cross-origin",
  });
};

/** Answers a preflight of a trusted origin. */
export const answerPreflight = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  // Only pages of our own origin may name the session that an admin's browser keeps aside.
  const requestedHeaders = request.headers["access-control-request-headers"]
    ?.split(",")
    .filter((name) => name.trim().toLowerCase() !== ownSessionHeader)
    .join(",");
  return reply
    .code(204)
    .headers({
      "access-control-allow-methods": "GET, POST",
      "access-control-max-age": preflightSeconds,
      ...(requestedHeaders ? { "access-control-allow-headers": requestedHeaders } : {}),
    })
    .send();
};

/** Unless CORS has set the header already, allows pages to read the tokens in the response. */
export const exposeTokens = (reply: FastifyReply): void => {
  if (reply.hasHeader("access-control-expose-headers")) return;
  const carried = tokenHeaders.filter((name) => reply.hasHeader(name));
  if (carried.length > 0) reply.header("access-control-expose-headers", carried.join(", "));
};
