import { type Operation, WireError } from "@latchkey/contracts";
import { sendJson } from "@latchkey/service-kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readBearerToken } from "../cookies/bearer-token.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import { allowOrigin, answerPreflight, isPreflight } from "../cors/cors.ts";
import type { Deps } from "../deps.ts";
import { forward } from "../forward/forward.ts";
import type { Decision } from "../limits/limiter.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { answerOwn } from "./answer-own.ts";
import { needsSession, readCachedAnswer } from "./cached-answer.ts";
import { callerOf } from "./caller-of.ts";
import { checkInput } from "./check-input.ts";
import { createInboundReader, type Inbound } from "./read-inbound.ts";
import { resolveHolder } from "./resolve-holder.ts";
import { recheckRedirect } from "./recheck-redirect.ts";
import { sendAnswer } from "./send-answer.ts";
import { createTrustReader, type Trust } from "./trust.ts";

/** Puts an answer on a reply; kept apart from making it, so that a rate limit can be decided in the meantime. */
type Finish = (reply: FastifyReply) => FastifyReply;

/** A request that was let in, until it is answered. */
export interface Admitted {
  inbound: Inbound;
  operation: Operation;
  trust: Trust;
  decision: Decision | Promise<Decision>;
}

const refuseOverLimit = (decision: Decision): void => {
  if (!decision.allowed)
    throw new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds: decision.retryAfterSeconds });
};

/** What the client holds of a session: where no cookie holds one, a bearer token does. */
const withBearer = (
  { config, ring }: Pick<Deps, "config" | "ring">,
  { headers: { authorization } }: FastifyRequest,
  cookies: SessionCookies,
): SessionCookies =>
  cookies.token === undefined
    ? { ...cookies, token: readBearerToken(ring, config.bearer, authorization) }
    : cookies;

/** Checks a request and has its owner answer it. */
const askOwner = async (
  deps: Deps & { jar: SessionCookieJar },
  admitted: Admitted,
): Promise<Finish> => {
  const { inbound, operation, trust } = admitted;
  const { config, jar } = deps;
  const { request, search, path } = inbound;
  if (operation.owner === "gateway")
    return (reply) => answerOwn(deps, { operation, inbound }, reply);
  await checkInput(inbound, operation, {
    trust,
    checksOrigin: !config.advanced.disableCSRFCheck,
    jar,
  });
  const cookies = jar.read(request.headers.cookie);
  const cached = readCachedAnswer(deps, admitted, cookies);
  const { json } = cached;
  if (json !== undefined && !needsSession(operation)) return (reply) => sendJson(reply, json);
  const held = withBearer(deps, request, cookies);
  const resolved = needsSession(operation)
    ? await resolveHolder(deps, { request, token: held.token, json })
    : undefined;
  const caller = callerOf(deps, admitted, held);
  const answered = await forward(deps, {
    operation,
    path: path ?? operation.path,
    search,
    contentType: request.headers["content-type"],
    body: request.body as Buffer | undefined,
    caller: resolved ? { ...caller, resolved } : caller,
  });
  const answer = recheckRedirect(deps, admitted, answered);
  const bearer = config.bearer.enabled;
  return (reply) => sendAnswer(reply, answer, { jar, bearer, held, holdsBadCopy: cached.isBad });
};

/** Asks while the limit is still being decided, which only an operation that changes nothing leaves open so long. */
const askWithinLimit = async (
  decision: Decision | Promise<Decision>,
  ask: () => Promise<Finish>,
): Promise<Finish> => {
  if (!(decision instanceof Promise)) {
    refuseOverLimit(decision);
    return ask();
  }
  const [decided, asked] = await Promise.allSettled([decision, ask()]);
  if (decided.status === "rejected") throw decided.reason;
  refuseOverLimit(decided.value);
  if (asked.status === "rejected") throw asked.reason;
  return asked.value;
};

/**
 * The pipeline of a public request, in the order that clients can see. `admit`, before any of the body is read: base
 * URL, path, disabled path, captcha, rate limit, operation. `answer`: body, origin, redirect URLs, then the owner's
 * answer and what it does to the browser's session.
 */
export const createPipeline = (deps: Deps & { jar: SessionCookieJar }) => {
  const { config } = deps;
  const read = createInboundReader(config);
  const readTrust = createTrustReader(config);
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));

  /** Undefined when the request has been answered here. */
  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Admitted | undefined> => {
    const inbound = read(request);
    const { operation, path, address } = inbound;
    const reading = readTrust(request, inbound.baseUrl.origin);
    const trust = reading instanceof Promise ? await reading : reading;
    const isForeign = allowOrigin(request, reply, trust.isForeignTrusted);
    if (disabled.has(path ?? "") || disabled.has(operation?.path ?? "")) {
      reply.code(404).type("text/plain;charset=UTF-8").send("Not Found");
      return undefined;
    }
    if (isForeign && isPreflight(request)) {
      answerPreflight(request, reply);
      return undefined;
    }
    if (operation && deps.captcha?.isNeededFor(operation)) await deps.captcha.check(inbound);
    const decision = deps.limit({ request, address, path: path ?? "", operation });
    // It may fail before it is waited for, which must not end the process.
    if (decision instanceof Promise) decision.catch(() => {});
    if (operation?.repeatable) return { inbound, operation, trust, decision };
    refuseOverLimit(await decision);
    if (operation) return { inbound, operation, trust, decision };
    reply.code(404).send();
    return undefined;
  };

  const answer = async (admitted: Admitted, reply: FastifyReply): Promise<FastifyReply> => {
    const finish = await askWithinLimit(admitted.decision, () => askOwner(deps, admitted));
    return finish(reply);
  };

  return { admit, answer };
};
