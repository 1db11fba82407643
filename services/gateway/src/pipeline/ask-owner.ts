import { sendJson, type UnsignedCaller } from "@latchkey/service-kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readBearerToken } from "../cookies/bearer-token.ts";
import { noCookies, type SessionCookies } from "../cookies/read-session-cookies.ts";
import type { Deps } from "../deps.ts";
import { forward, type Forwarded } from "../forward/forward.ts";
import { openKeySession } from "../keys/open-key-session.ts";
import { readApiKey } from "../keys/read-api-key.ts";
import { refuseOverLimit } from "../limits/refuse-over-limit.ts";
import type { Admitted } from "./admitted.ts";
import { answerAnyone } from "./answer-anyone.ts";
import type { AnswerOwn } from "./answer-own.ts";
import { type CachedAnswer, needsSession, readCachedAnswer } from "./cached-answer.ts";
import { callerOf } from "./caller-of.ts";
import { checkInput } from "./check-input.ts";
import { handToApp } from "./hand-to-app.ts";
import { findOwnSession, namesOwnSession, type OwnSession } from "./own-session.ts";
import { recheckRedirect } from "./recheck-redirect.ts";
import { sendAnswer } from "./send-answer.ts";
import { showImpersonationLink } from "./show-impersonation-link.ts";
import { showMailedLink } from "./show-mailed-link.ts";

/** Writes a response to a reply. Separate from computing the response, so that a rate limit can be decided in the meantime. */
export type Finish = (reply: FastifyReply) => FastifyReply;

type Needs = Deps & { answerOwn: AnswerOwn };

/** Returns the session that the client holds. Without a session cookie, the bearer token counts. */
const withBearer = (
  { config, ring }: Pick<Deps, "config" | "ring">,
  { headers: { authorization } }: FastifyRequest,
  cookies: SessionCookies,
): SessionCookies =>
  cookies.token === undefined
    ? { ...cookies, token: readBearerToken(ring, config.bearer, authorization) }
    : cookies;

const forwardFor = async (
  deps: Needs,
  admitted: Admitted,
  caller: UnsignedCaller,
): Promise<Forwarded> => {
  const { inbound, operation } = admitted;
  const { request, search, path } = inbound;
  const sent = {
    operation,
    path: path ?? operation.path,
    search,
    query: request.query,
    contentType: request.headers["content-type"],
    body: request.body as Buffer | undefined,
    caller,
  };
  const answered = (await deps.shareCall(sent)) ?? (await forward(deps, sent));
  const checked = recheckRedirect(deps, admitted, answered);
  return operation.mailedLink
    ? showMailedLink(deps, { admitted, caller }, checked)
    : showImpersonationLink(deps, admitted, checked);
};

const answerFor = (deps: Needs, admitted: Admitted, caller: UnsignedCaller): Promise<Forwarded> =>
  admitted.operation.owner === "gateway"
    ? deps.answerOwn(admitted, caller)
    : forwardFor(deps, admitted, caller);

/** Calls the owner in the session of the cookies or the bearer token. */
const askInSession = async (
  deps: Needs,
  admitted: Admitted,
  { cookies, cached, returns }: OwnSession & { cached: CachedAnswer },
): Promise<Finish> => {
  const { config } = deps;
  const { operation, jar } = admitted;
  const { request } = admitted.inbound;
  const held = withBearer(deps, request, cookies);
  const caller = callerOf(deps, admitted, held);
  if (needsSession(operation) && held.token !== undefined)
    caller.resolved =
      cached.json ?? (await deps.resolveHolder({ token: held.token, requestId: request.id }));
  const answered = await answerFor(deps, admitted, caller);
  const answer = handToApp(answered, jar);
  const bearer = config.bearer.enabled;
  return (reply) =>
    sendAnswer(reply, answer, { jar, bearer, held, returns, holdsBadCache: cached.isBad });
};

const askInOwnSession = async (
  deps: Needs,
  admitted: Admitted,
  cookies: SessionCookies,
): Promise<Finish> => {
  const own = await findOwnSession(deps, cookies, admitted.inbound.request.id);
  return askInSession(deps, admitted, { ...own, cached: { json: undefined, isBad: false } });
};

/** Answers from a cached session, or calls the owner. */
const answerInSession = (deps: Needs, admitted: Admitted): Finish | Promise<Finish> => {
  const { inbound, operation, jar } = admitted;
  const cookies = jar.read(inbound.request.headers.cookie);
  if (namesOwnSession(admitted, cookies)) return askInOwnSession(deps, admitted, cookies);
  const cached = readCachedAnswer(deps, admitted, cookies);
  const { json } = cached;
  return json !== undefined && !needsSession(operation)
    ? (reply) => sendJson(reply, json)
    : askInSession(deps, admitted, { cookies, cached });
};

/**
 * Calls the owner with an API key, and neither reads nor changes the cookies. The key is used only after the rate limit has allowed the
 * request.
 */
const askByKey = async (deps: Needs, admitted: Admitted, key: string): Promise<Finish> => {
  refuseOverLimit(await admitted.decision);
  const caller = callerOf(deps, admitted, noCookies);
  const opened = await openKeySession(deps, { key, caller, inbound: admitted.inbound });
  const answer = await answerFor(deps, admitted, { ...caller, ...opened });
  return (reply) => sendAnswer(reply, answer);
};

const askChecked = (deps: Needs, admitted: Admitted): Finish | Promise<Finish> => {
  const key = readApiKey(deps.config, admitted);
  if (key === undefined) return answerInSession(deps, admitted);
  return typeof key === "string"
    ? askByKey(deps, admitted, key)
    : key.then((found) =>
        found === undefined ? answerInSession(deps, admitted) : askByKey(deps, admitted, found),
      );
};

/** Checks a request and calls its owner. Returns a promise only if it has to wait. */
export const askOwner = (deps: Needs, admitted: Admitted): Finish | Promise<Finish> => {
  const { inbound, operation, trust, jar } = admitted;
  const { config } = deps;
  if (operation.owner === "gateway" && operation.access === "anyone")
    return (reply) => answerAnyone(deps, { operation, inbound }, reply);
  const checksOrigin = !config.advanced.disableCSRFCheck;
  const checking = checkInput(inbound, operation, { trust, checksOrigin, jar });
  return checking ? checking.then(() => askChecked(deps, admitted)) : askChecked(deps, admitted);
};
