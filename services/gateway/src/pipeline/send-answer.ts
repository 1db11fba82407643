import type { SessionEffect } from "@latchkey/contracts";
import type { FastifyReply } from "fastify";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";

export interface SendOptions {
  jar: SessionCookieJar;
  /** Clients without cookies read the token from a header. */
  bearer: boolean;
  /** The browser holds the marker of a browser session. */
  browserSession: boolean;
}

const applyEffect = (reply: FastifyReply, effect: SessionEffect, options: SendOptions): void => {
  const { cookies, signedToken } = options.jar.write(effect, options.browserSession);
  reply.header("set-cookie", cookies);
  if (!options.bearer || signedToken === undefined) return;
  reply.header("set-auth-token", signedToken);
  if (!reply.hasHeader("access-control-expose-headers"))
    reply.header("access-control-expose-headers", "set-auth-token");
};

/** Passes an owner's answer on, body untouched, and carries out what it does to the browser's session. */
export const sendAnswer = (
  reply: FastifyReply,
  answer: Forwarded,
  options: SendOptions,
): FastifyReply => {
  reply.code(answer.status).headers(answer.headers);
  if (answer.effect) applyEffect(reply, answer.effect, options);
  // Fastify would name a type for bytes, also where there are none.
  return reply.send(answer.body.length > 0 ? answer.body : undefined);
};
