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
import { createInboundReader } from "./read-inbound.ts";
import { createTrustReader } from "./trust.ts";

/** Calls the owner while the limit is still being decided. Only operations without side effects have a pending limit here. */
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
 * Creates the pipeline of a public request, in an order that clients can observe. `admit` runs before the body is read: base URL, path,
 * disabled path, rate limit, operation, captcha. `answer` follows: body, origin, redirect URLs, the owner's response and its effect on the
 * browser's session.
 */
export const createPipeline = (deps: Deps & { chooseJar: ChooseJar }) => {
  const { config } = deps;
  const read = createInboundReader(config);
  const readTrust = createTrustReader(config);
  const asking = { ...deps, answerOwn: createOwnAnswers(deps) };
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));

  /** Returns undefined if the request has been answered here. */
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
    const captcha = operation && deps.captcha?.isNeededFor(operation) ? deps.captcha : undefined;
    const decision = deps.limit({ request, address, path: path ?? "", operation });
    // It may reject before it is awaited, which must not end the process.
    if (decision instanceof Promise) decision.catch(() => {});
    const jar = deps.chooseJar(inbound.baseUrl);
    if (operation?.repeatable && !captcha) return { inbound, operation, trust, jar, decision };
    refuseOverLimit(await decision);
    // After the limit, so that a client cannot cause more provider calls than its limit allows.
    await captcha?.check(inbound);
    if (operation) return { inbound, operation, trust, jar, decision };
    if (!answerLanding(config, request, reply)) reply.code(404).send();
    return undefined;
  };

  const answer = async (admitted: Admitted, reply: FastifyReply): Promise<FastifyReply> => {
    const finish = await askWithinLimit(admitted.decision, () => askOwner(asking, admitted));
    return finish(reply);
  };

  return { admit, answer };
};
