import type { IncomingHttpHeaders } from "node:http";
import { sendJson, type UnsignedCaller, readBody } from "@latchkey/service-kit/http";
import type { FastifyReply } from "fastify";
import { type ErrorBody, type Operation, WireError } from "@latchkey/contracts";
import { noCookies } from "../cookies/read-session-cookies.ts";
import type { ChooseJar, SessionCookieJar } from "../cookies/session-cookies.ts";
import type { Deps } from "../deps.ts";
import type { Forwarded } from "../forward/forward.ts";
import { openKeySession } from "../keys/open-key-session.ts";
import { readApiKey } from "../keys/read-api-key.ts";
import { type Admitted, createAdmission } from "./admit.ts";
import { type AnswerOwn, answerAnyone, createOwnAnswers } from "./answer-own.ts";
import { needsSession, notCached, readCachedAnswer } from "./cached-answer.ts";
import { callerOf, sdkVersionOf } from "./caller-of.ts";
import {
  chooseActiveSession,
  findOwnSession,
  namesOwnSession,
  type OwnSession,
  withBearer,
} from "./choose-session.ts";
import { showLinkAnswer } from "./link-pages.ts";
import { sendAnswer } from "./send-answer.ts";
import { appOriginOf } from "../origins/app-origin.ts";
import { checkOrigin, explainRefusedOrigin } from "../origins/origin-check.ts";
import { checkRedirects } from "../origins/check-redirects.ts";
import { headerOf, type Inbound } from "../http/read-inbound.ts";
import type { Trust } from "../origins/trust.ts";

const refuseForeignOrigin = ({ request }: Inbound, { isTrusted }: Trust): void => {
  const { cookie, referer } = request.headers;
  const origin = request.headers.origin ?? appOriginOf(request.headers);
  const secFetchSite = headerOf(request, "sec-fetch-site");
  if (checkOrigin({ cookie, origin, referer, secFetchSite }, isTrusted) === "pass") return;
  const hint = explainRefusedOrigin(origin ?? referer);
  request.log.warn({ reqId: request.id, hint }, "refused a request because of its origin");
  throw new WireError("INVALID_ORIGIN", { hint });
};

interface InputChecks {
  trust: Trust;
  checksOrigin: boolean;
  jar: Pick<SessionCookieJar, "holdsOwn">;
}

/**
 * Refuses a POST from a foreign page, and any request with a foreign redirect URL. A body is parsed only if it can contain one, and is
 * forwarded unchanged.
 */
const checkInput = async (
  inbound: Inbound,
  operation: Operation,
  { trust, checksOrigin, jar }: InputChecks,
): Promise<void> => {
  const { request } = inbound;
  const isPost = operation.method !== "GET";
  const body =
    isPost && operation.redirects
      ? await readBody(request.headers["content-type"], request.body as Buffer | undefined)
      : undefined;
  // Pages of providers post from a foreign origin by design, and then without our cookies. Other cookies, such as those of a load balancer,
  // may be present, because browsers differ in which cookies they send.
  const mayBeForeign =
    operation.postedByProviders === true && !jar.holdsOwn(request.headers.cookie);
  // No operation of a protocol acts in a session: those of clients get none, and those of browsers lead to pages that ask.
  const isOfProtocol = operation.protocol !== undefined;
  if (isPost && checksOrigin && !mayBeForeign && !isOfProtocol) refuseForeignOrigin(inbound, trust);
  checkRedirects(operation, { query: request.query, body }, trust.isTrusted);
};

type Needs = Deps & { answerOwn: AnswerOwn };

/** Replaces the code of a refusal by that of the SDK 1.7, if the client expects it. */
const withClientsCode = (
  { config }: Pick<Deps, "config">,
  { inbound }: Pick<Admitted, "inbound">,
  answer: Forwarded,
): Forwarded => {
  const { newSdkCode, body } = answer;
  if (newSdkCode === undefined || sdkVersionOf(config, inbound.request) !== "1.7") return answer;
  const error = JSON.parse(body.toString()) as ErrorBody; // written by the owner
  return { ...answer, body: JSON.stringify({ ...error, code: newSdkCode }) };
};

/** Returns the headers of a request that only a protocol reads. Those of a browser hold no credentials. */
const protocolHeaders = (
  { protocol }: Operation,
  { accept, authorization, dpop, origin }: IncomingHttpHeaders,
): Record<string, string> => ({
  ...(protocol && accept !== undefined && { accept }),
  ...(protocol === "client" && authorization !== undefined && { authorization }),
  ...(protocol === "client" && typeof dpop === "string" && { dpop }),
  ...(protocol === "client" && origin !== undefined && { origin }),
});

/** Has the owner answer, with the caller signed and the body unchanged. The gateway's own operations are answered here. */
const callOwner = async (
  deps: Needs,
  admitted: Admitted,
  caller: UnsignedCaller,
): Promise<Forwarded> => {
  const { inbound, operation } = admitted;
  if (operation.owner === "gateway") return deps.answerOwn(admitted, caller);
  const { request, search, path } = inbound;
  const answer = await deps.forward({
    operation,
    path: path ?? operation.path,
    search,
    query: request.query,
    contentType: request.headers["content-type"],
    body: request.body as Buffer | undefined,
    headers: protocolHeaders(operation, request.headers),
    caller,
  });
  return showLinkAnswer(deps, { admitted, caller }, withClientsCode(deps, admitted, answer));
};

/** Answers with an API key, and neither reads nor changes the cookies. */
const answerByKey = async (
  deps: Needs,
  { admitted, key }: { admitted: Admitted; key: string },
  reply: FastifyReply,
): Promise<void> => {
  const caller = callerOf(deps, admitted, noCookies);
  const opened = await openKeySession(deps, { key, caller, inbound: admitted.inbound });
  sendAnswer(reply, await callOwner(deps, admitted, { ...caller, ...opened }));
};

/** Answers in the session of the cookies or the bearer token. A trusted session cookie cache answers without a call. */
const answerInSession = async (
  deps: Needs,
  admitted: Admitted,
  reply: FastifyReply,
): Promise<void> => {
  const { operation, jar, inbound } = admitted;
  const { id: requestId, headers } = inbound.request;
  const sent = await chooseActiveSession(deps, jar.read(headers.cookie), requestId);
  const isOwn = namesOwnSession(admitted, sent);
  const cached = isOwn ? notCached : readCachedAnswer(deps, admitted, sent);
  if (cached.json !== undefined && !needsSession(operation)) {
    sendJson(reply, cached.json);
    return;
  }
  const { cookies, returns }: OwnSession = isOwn
    ? await findOwnSession(deps, sent, requestId)
    : { cookies: sent };
  const sessionCookies = operation.protocol ? cookies : withBearer(deps, admitted, cookies);
  const caller = callerOf(deps, admitted, sessionCookies);
  if (needsSession(operation) && sessionCookies.token !== undefined)
    caller.resolved =
      cached.json ?? (await deps.resolveHolder({ token: sessionCookies.token, requestId }));
  const answer = await callOwner(deps, admitted, caller);
  const bearer = deps.config.bearer.enabled;
  sendAnswer(reply, answer, {
    jar,
    bearer,
    held: sessionCookies,
    returns,
    holdsBadCache: cached.isBad,
  });
};

/** Returns whether a request must not use up the URL that it opens. Mail systems send HEAD to examine links. */
const onlyExamines = ({ inbound, operation }: Admitted): boolean =>
  inbound.request.method === "HEAD" &&
  (operation.mailedLink === true || operation.worksOnce === true);

const answer = async (deps: Needs, admitted: Admitted, reply: FastifyReply): Promise<void> => {
  const { inbound, operation, trust, jar } = admitted;
  const { config } = deps;
  if (operation.owner === "gateway" && operation.access === "anyone") {
    answerAnyone(deps, { operation, inbound }, reply);
    return;
  }
  const checksOrigin = !config.advanced.disableCSRFCheck;
  await checkInput(inbound, operation, { trust, checksOrigin, jar });
  if (onlyExamines(admitted)) {
    reply.code(200).send();
    return;
  }
  if (operation.servesFile || operation.protocol === "client") {
    sendAnswer(reply, await callOwner(deps, admitted, callerOf(deps, admitted, noCookies)));
    return;
  }
  const key = operation.protocol ? undefined : await readApiKey(config, admitted);
  await (key === undefined
    ? answerInSession(deps, admitted, reply)
    : answerByKey(deps, { admitted, key }, reply));
};

/**
 * Creates the pipeline of a public request. `admit` runs before the body is read. `answer` follows: origin and redirect URLs, API key or
 * session, the owner's response and its effect on the browser's session.
 */
export const createPipeline = (deps: Deps & { chooseJar: ChooseJar }) => {
  const needs = { ...deps, answerOwn: createOwnAnswers(deps) };
  return {
    admit: createAdmission(deps),
    // Returns nothing, because Fastify would wait for a returned reply, which is already sent.
    answer: (admitted: Admitted, reply: FastifyReply): Promise<void> =>
      answer(needs, admitted, reply),
  };
};
