import { isUtf8 } from "node:buffer";
import type { SessionEffect } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply } from "fastify";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";

export interface SendOptions {
  jar: SessionCookieJar;
  /** Clients without cookies read the token from a header. */
  bearer: boolean;
  /** What the client held when it asked. */
  held: SessionCookies;
  /** Its copy of the session is one that nobody can ever believe. */
  holdsBadCopy: boolean;
}

const applyEffect = (reply: FastifyReply, effect: SessionEffect, options: SendOptions): void => {
  const { cookies, signedToken } = options.jar.write(effect, options.held);
  reply.header("set-cookie", cookies);
  if (options.bearer && signedToken !== undefined) reply.header("set-auth-token", signedToken);
};

/** Where CORS has not said so already, pages may read the tokens that the answer carries. */
const exposeTokens = (reply: FastifyReply): void => {
  if (reply.hasHeader("access-control-expose-headers")) return;
  const carried = ["set-auth-token", "set-auth-jwt"].filter((name) => reply.hasHeader(name));
  if (carried.length > 0) reply.header("access-control-expose-headers", carried.join(", "));
};

/** Carries out what an answer does to the browser's session. */
const tellBrowser = (reply: FastifyReply, { effect }: Forwarded, options: SendOptions): void => {
  if (effect) applyEffect(reply, effect, options);
  else if (options.holdsBadCopy) reply.header("set-cookie", options.jar.clearCopy());
};

/** Text leaves in one write with its headers, bytes in a dearer one of two parts. */
const sendBody = (reply: FastifyReply, { headers, body }: Forwarded): FastifyReply => {
  if (headers["content-type"] === "application/json" && isUtf8(body))
    return sendJson(reply, body.toString());
  // Fastify would name a type for bytes, also where there are none.
  return reply.send(body.length > 0 ? body : undefined);
};

/**
 * Passes an owner's answer on, body untouched. What it does to the browser's session is carried out only with `options`: without
 * them the client did not ask in that session.
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
