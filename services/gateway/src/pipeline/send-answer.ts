import { isUtf8 } from "node:buffer";
import { type SessionEffect, twoFactorReplyHeader } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply } from "fastify";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";
import type { Return } from "./own-session.ts";

export interface SendOptions {
  jar: SessionCookieJar;
  /** Whether clients without cookies read the token from a header. */
  bearer: boolean;
  /** The session cookies of the request. */
  held: SessionCookies;
  /** Whether its session cookie cache can never be trusted. */
  holdsBadCache: boolean;
  /** Applied before the effect of the response. */
  returns?: Return | undefined;
}

/** Applies the effect of a response to the browser's session. */
const applyEffect = (
  reply: FastifyReply,
  { effect, json }: { effect: SessionEffect | undefined; json: string | undefined },
  { jar, bearer, held, holdsBadCache, returns }: SendOptions,
): void => {
  // The order counts: of two cookies of one name, browsers keep the second.
  if (returns) reply.header("set-cookie", jar.write(returns.effect, returns.held).cookies);
  if (effect) {
    const { cookies, signedToken, signedTwoFactor } = jar.write(effect, held, json);
    reply.header("set-cookie", cookies);
    if (bearer && signedToken !== undefined) reply.header("set-auth-token", signedToken);
    if (bearer && signedTwoFactor !== undefined)
      reply.header(twoFactorReplyHeader, signedTwoFactor);
  } else if (holdsBadCache) reply.header("set-cookie", jar.clearCache());
};

/** The headers with tokens that pages may read. */
export const tokenHeaders = ["set-auth-token", "set-auth-jwt", twoFactorReplyHeader];

/** Unless CORS has set the header already, allows pages to read the tokens in the response. */
const exposeTokens = (reply: FastifyReply): void => {
  if (reply.hasHeader("access-control-expose-headers")) return;
  const carried = tokenHeaders.filter((name) => reply.hasHeader(name));
  if (carried.length > 0) reply.header("access-control-expose-headers", carried.join(", "));
};

/** Returns a JSON body as text. Text is sent in one write with its headers, while bytes need two writes. */
const jsonOf = ({ headers, body }: Forwarded): string | undefined => {
  if (typeof body === "string") return body;
  return headers["content-type"] === "application/json" && isUtf8(body)
    ? body.toString()
    : undefined;
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
  const { status, headers, body, effect } = answer;
  const json = jsonOf(answer);
  reply.code(status).headers(headers);
  if (options) applyEffect(reply, { effect, json }, options);
  exposeTokens(reply);
  if (json !== undefined) return sendJson(reply, json);
  // Fastify would set a content type for bytes, even if there are none.
  return reply.send(body.length > 0 ? body : undefined);
};
