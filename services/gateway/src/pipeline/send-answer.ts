import { isUtf8 } from "node:buffer";
import type { SessionEffect } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply } from "fastify";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";

export interface SendOptions {
  jar: SessionCookieJar;
  /** Whether clients without cookies read the token from a header. */
  bearer: boolean;
  /** The session cookies of the request. */
  held: SessionCookies;
  /** Whether its session cookie cache can never be trusted. */
  holdsBadCache: boolean;
}

const applyEffect = (reply: FastifyReply, effect: SessionEffect, options: SendOptions): void => {
  const { cookies, signedToken } = options.jar.write(effect, options.held);
  reply.header("set-cookie", cookies);
  if (options.bearer && signedToken !== undefined) reply.header("set-auth-token", signedToken);
};

/** Unless CORS has set the header already, allows pages to read the tokens in the response. */
const exposeTokens = (reply: FastifyReply): void => {
  if (reply.hasHeader("access-control-expose-headers")) return;
  const carried = ["set-auth-token", "set-auth-jwt"].filter((name) => reply.hasHeader(name));
  if (carried.length > 0) reply.header("access-control-expose-headers", carried.join(", "));
};

/** Applies the effect of a response to the browser's session. */
const tellBrowser = (reply: FastifyReply, { effect }: Forwarded, options: SendOptions): void => {
  if (effect) applyEffect(reply, effect, options);
  else if (options.holdsBadCache) reply.header("set-cookie", options.jar.clearCache());
};

/** Text is sent in one write with its headers, while bytes need two writes. */
const sendBody = (reply: FastifyReply, { headers, body }: Forwarded): FastifyReply => {
  if (headers["content-type"] === "application/json" && isUtf8(body))
    return sendJson(reply, body.toString());
  // Fastify would set a content type for bytes, even if there are none.
  return reply.send(body.length > 0 ? body : undefined);
};

/**
 * Sends an owner's response with its body unchanged. Its effect on the browser's session is applied only with `options`. Without them, the
 * client did not use that session.
 */
export const sendAnswer = (
  reply: FastifyReply,
  answer: Forwarded,
  options?: SendOptions,
): FastifyReply => {
  reply.code(answer.status).headers(answer.headers);
  if (options) tellBrowser(reply, answer, options);
  exposeTokens(reply);
  return sendBody(reply, answer);
};
