import { WireError } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../observe/metrics.ts";
import { retryAfterHeaders, wireErrorOf } from "./error-answer.ts";
import { NotSharedError } from "./not-shared-error.ts";
import { readSentBody } from "./read-body.ts";
import type { HeaderSink, Runnable } from "./run-operation.ts";
import { settledTogether } from "./settled-together.ts";
import {
  readSharedCall,
  type SharedAnswer,
  sharedCallHeader,
  sharedCallPath,
  type SharedRequest,
  writeSharedAnswers,
} from "./shared-call.ts";
import { isUnavailable } from "./unavailable.ts";

/** Maximum length of all replies. Even if each character takes three bytes, the gateway accepts the answer. */
const charactersMax = 16 * 1024 * 1024;

/** An answer with the name of its operation and the time that it took. */
interface Timed extends SharedAnswer {
  operation: string;
  seconds: number;
}

const createSink = (): HeaderSink & { collected: Record<string, string> } => {
  const collected: Record<string, string> = {};
  return {
    collected,
    header: (name, value) => {
      collected[name] = value;
    },
    headers: (values) => Object.assign(collected, values),
  };
};

/** Returns the answer to one request. Rejects if the request must be forwarded alone, also for a server error. */
const answerOne = async (
  operation: Runnable,
  { caller, query = {}, body: sentBody }: SharedRequest,
): Promise<SharedAnswer> => {
  const sink = createSink();
  const { collected: headers } = sink;
  try {
    const body =
      sentBody !== undefined && operation.readsBody
        ? await readSentBody(operation.declared, {
            contentType: "application/json",
            body: Buffer.from(sentBody),
          })
        : undefined;
    const sent = { params: {}, query, body };
    const answer = await operation.run({ caller, sent, isShared: true }, sink);
    if (!("reply" in answer)) throw new NotSharedError();
    return { status: 200, headers, body: operation.stringify(answer.reply) };
  } catch (error) {
    const known = wireErrorOf(error);
    if (!known || known.status >= 500) throw error;
    Object.assign(headers, retryAfterHeaders(known));
    return { status: known.status, headers, body: JSON.stringify(known.body()) };
  }
};

/** Leaves out the answers that do not fit. */
const withinLimit = (answers: readonly (Timed | undefined)[]): (Timed | undefined)[] => {
  let room = charactersMax;
  return answers.map((answer) => {
    if (!answer || answer.body.length > room) return undefined;
    room -= answer.body.length;
    return answer;
  });
};

/**
 * Mounts the call with which the gateway sends concurrent requests. Each passes the same steps as a request of its own. One that fails
 * unexpectedly, does more than read, or takes much longer than the first is left out, so that it affects no other. If a store is
 * unavailable to all, the call fails.
 */
export const mountSharedCalls = (
  app: FastifyInstance,
  operations: readonly Runnable[],
  { ring, clock, metrics }: { ring: SecretRing; clock: () => number; metrics: Metrics },
): void => {
  const shared = new Map(
    operations
      .filter(({ declared }) => declared.sharesCalls)
      .map((operation) => [operation.declared.name, operation]),
  );
  if (shared.size === 0) return;
  const answerTimed = async (request: SharedRequest): Promise<Timed> => {
    const startedAt = performance.now();
    const operation = shared.get(request.caller.operation);
    if (!operation) throw new NotSharedError();
    const answer = await answerOne(operation, request);
    const seconds = (performance.now() - startedAt) / 1000;
    return { ...answer, operation: operation.declared.name, seconds };
  };
  app.post(sharedCallPath, async (request, reply) => {
    const signed = request.headers[sharedCallHeader];
    const call = request.body;
    const requests =
      typeof signed === "string" && Buffer.isBuffer(call)
        ? readSharedCall(ring, { call, signed }, clock())
        : undefined;
    if (!requests) throw new WireError("FORBIDDEN");
    const settled = await settledTogether(requests.map(answerTimed)).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      return requests.map(() => undefined); // each request, forwarded alone, gets its own error
    });
    const answers = withinLimit(settled);
    for (const answer of answers)
      if (answer) metrics.observeRequest(answer.operation, answer.status, answer.seconds);
    return reply.type("application/octet-stream").send(writeSharedAnswers(answers));
  });
};
