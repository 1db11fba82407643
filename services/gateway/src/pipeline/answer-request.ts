import type { Operation } from "@latchkey/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ChooseJar } from "../cookies/session-cookies.ts";
import { allowOrigin, answerPreflight, isPreflight } from "../cors/cors.ts";
import type { Deps } from "../deps.ts";
import type { Decision } from "../limits/limiter.ts";
import { refuseOverLimit } from "../limits/refuse-over-limit.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import type { Admitted } from "./admitted.ts";
import { answerLanding } from "./answer-landing.ts";
import { createOwnAnswers } from "./answer-own.ts";
import { askOwner, type Finish } from "./ask-owner.ts";
import { createInboundReader, type Inbound } from "./read-inbound.ts";
import { createTrustReader, type Trust } from "./trust.ts";

/** A result that needs no I/O is plain, because most requests for cached sessions need none, and each promise costs time. */
type Waiting<T> = T | Promise<T>;

/** Calls the owner while the limit is still being decided. Only operations without side effects have a pending limit here. */
const askWhileLimited = async (
  decision: Promise<Decision>,
  ask: () => Waiting<Finish>,
): Promise<Finish> => {
  const asking = async () => ask();
  const [decided, asked] = await Promise.allSettled([decision, asking()]);
  if (decided.status === "rejected") throw decided.reason;
  refuseOverLimit(decided.value);
  if (asked.status === "rejected") throw asked.reason;
  return asked.value;
};

/** Admits a request whose limit must be decided first. Returns undefined if the request has been answered here. */
const admitLimited = async (
  { config, captcha }: Pick<Deps, "captcha" | "config">,
  admitted: Omit<Admitted, "operation"> & { operation: Operation | undefined },
  reply: FastifyReply,
): Promise<Admitted | undefined> => {
  const { inbound, operation } = admitted;
  refuseOverLimit(await admitted.decision);
  // After the limit, so that a client cannot cause more provider calls than its limit allows.
  if (operation && captcha?.isNeededFor(operation)) await captcha.check(inbound);
  if (operation) return { ...admitted, operation };
  if (!answerLanding(config, inbound.request, reply)) reply.code(404).send();
  return undefined;
};

/**
 * Creates the pipeline of a public request, in an order that clients can observe. `admit` runs before the body is read: base URL, path,
 * disabled path, rate limit, operation, captcha. `answer` follows: body, origin, redirect URLs, the owner's response and its effect on the
 * browser's session.
 */
export const createPipeline = (deps: Deps & { chooseJar: ChooseJar }) => {
  const { config } = deps;
  const read = createInboundReader(config);
  const readTrust = createTrustReader(config);
  const needs = { ...deps, answerOwn: createOwnAnswers(deps) };
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));

  const admitTrusted = (
    inbound: Inbound,
    trust: Trust,
    reply: FastifyReply,
  ): Waiting<Admitted | undefined> => {
    const { request, operation, path, address } = inbound;
    const isForeign = allowOrigin(request, reply, trust.isForeignTrusted);
    if (disabled.has(path ?? "") || disabled.has(operation?.path ?? "")) {
      reply.code(404).type("text/plain;charset=UTF-8").send("Not Found");
      return undefined;
    }
    if (isForeign && isPreflight(request)) {
      answerPreflight(request, reply);
      return undefined;
    }
    const decision = deps.limit({ request, address, path: path ?? "", operation });
    // It may reject before it is awaited, which must not end the process.
    if (decision instanceof Promise) decision.catch(() => {});
    const jar = deps.chooseJar(inbound.baseUrl);
    const isFree = operation?.repeatable && !deps.captcha?.isNeededFor(operation);
    return isFree
      ? { inbound, operation, trust, jar, decision }
      : admitLimited(deps, { inbound, operation, trust, jar, decision }, reply);
  };

  /** Returns undefined if the request has been answered here. */
  const admit = (request: FastifyRequest, reply: FastifyReply): Waiting<Admitted | undefined> => {
    const inbound = read(request);
    request.operation = inbound.operation;
    const trust = readTrust(request, inbound.baseUrl.origin);
    return trust instanceof Promise
      ? trust.then((known) => admitTrusted(inbound, known, reply))
      : admitTrusted(inbound, trust, reply);
  };

  const ask = (admitted: Admitted): Waiting<Finish> => {
    const { decision } = admitted;
    if (decision instanceof Promise)
      return askWhileLimited(decision, () => askOwner(needs, admitted));
    refuseOverLimit(decision);
    return askOwner(needs, admitted);
  };

  /** Returns nothing, because Fastify would wait for a returned reply, which is already sent. */
  const answer = (admitted: Admitted, reply: FastifyReply): Waiting<void> => {
    const write = (finish: Finish): void => {
      finish(reply);
    };
    const asking = ask(admitted);
    return asking instanceof Promise ? asking.then(write) : write(asking);
  };

  return { admit, answer };
};
