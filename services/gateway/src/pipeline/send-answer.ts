import { isUtf8 } from "node:buffer";
import { type SessionEffect, twoFactorReplyHeader } from "@latchkey/contracts";
import { sendJson, setQuery } from "@latchkey/service-kit/http";
import type { FastifyReply } from "fastify";
import { noCookies, type SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Forwarded } from "../forward/forward.ts";
import type { Return } from "./choose-session.ts";
import { exposeTokens } from "./cors.ts";

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

const forgetState = { kind: "state", state: null, maxAgeSeconds: 0 } as const;

/**
 * Moves the cookies of a mobile app's session from the response to the URL that opens the app, as the SDK for Expo expects. The browser
 * gets none of them. If the URL is http or https after all, they are dropped.
 */
const handToApp = (answer: Forwarded, { write }: Pick<SessionCookieJar, "write">): Forwarded => {
  const { effect } = answer;
  if ((effect?.kind !== "issue" && effect?.kind !== "clear") || !effect.toApp) return answer;
  const place = String(answer.headers["location"] ?? "");
  const url = URL.parse(place);
  const unchanged = { ...answer, effect: forgetState };
  if (!url || url.protocol === "http:" || url.protocol === "https:") return unchanged;
  // Without the cookie cache, which is too large for a URL. The app receives it with its next request.
  const bare = effect.kind === "issue" ? { ...effect, cached: undefined } : effect;
  const { cookies } = write(bare, noCookies);
  const location = setQuery(place, { cookie: cookies.join(", ") });
  return { ...unchanged, headers: { ...answer.headers, location } };
};

/** Applies the effect of a response to the browser's session. */
const applyEffect = (
  reply: FastifyReply,
  { effect, json }: { effect: SessionEffect | undefined; json: string | undefined },
  { jar, bearer, held, holdsBadCache, returns }: SendOptions,
): void => {
  // The order counts: of two cookies of one name, browsers keep the second.
  const header = reply.request.headers.cookie;
  if (returns)
    reply.header("set-cookie", jar.write(returns.effect, returns.held, { header }).cookies);
  if (effect) {
    const { cookies, signedToken, signedTwoFactor } = jar.write(effect, held, { json, header });
    reply.header("set-cookie", cookies);
    if (bearer && signedToken !== undefined) reply.header("set-auth-token", signedToken);
    if (bearer && signedTwoFactor !== undefined)
      reply.header(twoFactorReplyHeader, signedTwoFactor);
  } else if (holdsBadCache) reply.header("set-cookie", jar.clearCache(header));
};

/** Returns a JSON body as text. Text is sent in one write with its headers, while bytes need two writes. */
const jsonOf = ({ headers, body }: Pick<Forwarded, "body" | "headers">): string | undefined => {
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
  const { status, headers, body, effect } = options ? handToApp(answer, options.jar) : answer;
  const json = jsonOf({ headers, body });
  reply.code(status).headers(headers);
  if (options) applyEffect(reply, { effect, json }, options);
  exposeTokens(reply);
  if (json !== undefined) return sendJson(reply, json);
  // Fastify would set a content type for bytes, even if there are none.
  return reply.send(body.length > 0 ? body : undefined);
};
