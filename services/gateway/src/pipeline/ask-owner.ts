import type { Caller } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readBearerToken } from "../cookies/bearer-token.ts";
import { noCookies, type SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Deps } from "../deps.ts";
import { forward, type Forwarded } from "../forward/forward.ts";
import { openKeySession } from "../keys/open-key-session.ts";
import { readApiKey } from "../keys/read-api-key.ts";
import { refuseOverLimit } from "../limits/refuse-over-limit.ts";
import type { Admitted } from "./admitted.ts";
import { answerAnyone } from "./answer-anyone.ts";
import type { AnswerOwn } from "./answer-own.ts";
import { needsSession, readCachedAnswer } from "./cached-answer.ts";
import { callerOf } from "./caller-of.ts";
import { checkInput } from "./check-input.ts";
import { recheckRedirect } from "./recheck-redirect.ts";
import { resolveHolder } from "./resolve-holder.ts";
import { sendAnswer } from "./send-answer.ts";

/** Puts an answer on a reply; kept apart from making it, so that a rate limit can be decided in the meantime. */
export type Finish = (reply: FastifyReply) => FastifyReply;

type Needs = Deps & { jar: SessionCookieJar; answerOwn: AnswerOwn };

/** What the client holds of a session: where no cookie holds one, a bearer token does. */
const withBearer = (
  { config, ring }: Pick<Deps, "config" | "ring">,
  { headers: { authorization } }: FastifyRequest,
  cookies: SessionCookies,
): SessionCookies =>
  cookies.token === undefined
    ? { ...cookies, token: readBearerToken(ring, config.bearer, authorization) }
    : cookies;

const forwardFor = async (deps: Needs, admitted: Admitted, caller: Caller): Promise<Forwarded> => {
  const { inbound, operation } = admitted;
  const { request, search, path } = inbound;
  const answered = await forward(deps, {
    operation,
    path: path ?? operation.path,
    search,
    contentType: request.headers["content-type"],
    body: request.body as Buffer | undefined,
    caller,
  });
  return recheckRedirect(deps, admitted, answered);
};

const answerFor = (deps: Needs, admitted: Admitted, caller: Caller): Promise<Forwarded> =>
  admitted.operation.owner === "gateway"
    ? deps.answerOwn(admitted, caller)
    : forwardFor(deps, admitted, caller);

/** Asks in the session of the cookies or the bearer token. */
const askInSession = async (deps: Needs, admitted: Admitted): Promise<Finish> => {
  const { jar, config } = deps;
  const { operation } = admitted;
  const { request } = admitted.inbound;
  const cookies = jar.read(request.headers.cookie);
  const cached = readCachedAnswer(deps, admitted, cookies);
  const { json } = cached;
  if (json !== undefined && !needsSession(operation)) return (reply) => sendJson(reply, json);
  const held = withBearer(deps, request, cookies);
  const resolved = needsSession(operation)
    ? await resolveHolder(deps, { request, token: held.token, json })
    : undefined;
  const caller = callerOf(deps, admitted, held);
  const answer = await answerFor(deps, admitted, resolved ? { ...caller, resolved } : caller);
  const bearer = config.bearer.enabled;
  return (reply) => sendAnswer(reply, answer, { jar, bearer, held, holdsBadCopy: cached.isBad });
};

/**
 * Asks by an API key, whatever the cookies say, and leaves these as they are. The key is used only once the rate limit has let the
 * request through.
 */
const askByKey = async (deps: Needs, admitted: Admitted, key: string): Promise<Finish> => {
  refuseOverLimit(await admitted.decision);
  const caller = callerOf(deps, admitted, noCookies);
  const opened = await openKeySession(deps, { key, caller, inbound: admitted.inbound });
  const answer = await answerFor(deps, admitted, { ...caller, ...opened });
  return (reply) => sendAnswer(reply, answer);
};

/** Checks a request and has its owner answer it. */
export const askOwner = async (deps: Needs, admitted: Admitted): Promise<Finish> => {
  const { inbound, operation, trust } = admitted;
  const { config, jar } = deps;
  if (operation.owner === "gateway" && operation.access === "anyone")
    return (reply) => answerAnyone(deps, { operation, inbound }, reply);
  const checksOrigin = !config.advanced.disableCSRFCheck;
  await checkInput(inbound, operation, { trust, checksOrigin, jar });
  const key = await readApiKey(config, admitted);
  return key === undefined ? askInSession(deps, admitted) : askByKey(deps, admitted, key);
};
