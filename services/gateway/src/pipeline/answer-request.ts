import type { FastifyReply, FastifyRequest } from "fastify";
import type { SessionCookieJar } from "../cookies/session-cookies.ts";
import { allowOrigin, answerPreflight, isPreflight } from "../cors/cors.ts";
import type { Deps } from "../deps.ts";
import type { Decision } from "../limits/limiter.ts";
import { refuseOverLimit } from "../limits/refuse-over-limit.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import type { Admitted } from "./admitted.ts";
import { createOwnAnswers } from "./answer-own.ts";
import { askOwner, type Finish } from "./ask-owner.ts";
import { createInboundReader } from "./read-inbound.ts";
import { createTrustReader } from "./trust.ts";

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
  const asking = { ...deps, answerOwn: createOwnAnswers(deps) };
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));

  /** Undefined when the request has been answered here. */
  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Admitted | undefined> => {
    const inbound = read(request);
    const { operation, path, address } = inbound;
    request.operation = operation;
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
    const finish = await askWithinLimit(admitted.decision, () => askOwner(asking, admitted));
    return finish(reply);
  };

  return { admit, answer };
};
