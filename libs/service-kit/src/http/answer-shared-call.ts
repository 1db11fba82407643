import { WireError } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../observe/metrics.ts";
import { internalErrorHeaders, wireErrorOf } from "./error-answer.ts";
import { readSentBody } from "./read-body.ts";
import type { HeaderSink, Runnable } from "./run-operation.ts";
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

/** The time for which the others are awaited after the first result. */
const graceMilliseconds = 100;

/**
 * Returns the results of concurrent work, and undefined for each part that fails or takes much longer than the first result. Rejects
 * with the error of the first part if every part fails.
 */
const settledTogether = <T>(parts: readonly Promise<T>[]): Promise<(T | undefined)[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<(T | undefined)[]>();
  const results: (T | undefined)[] = parts.map(() => undefined);
  let firstError: unknown;
  let pending = parts.length;
  let timer: NodeJS.Timeout | undefined;
  const finish = () => {
    clearTimeout(timer);
    if (timer) resolve([...results]);
    else reject(firstError);
  };
  const settle = () => {
    pending -= 1;
    if (pending === 0) finish();
  };
  for (const [index, part] of parts.entries())
    part.then(
      (result) => {
        results[index] = result;
        timer ??= setTimeout(finish, graceMilliseconds);
        settle();
      },
      (error: unknown) => {
        if (index === 0) firstError = error;
        settle();
      },
    );
  return promise;
};

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
    const answer = await operation.run({ caller, sent }, sink);
    if (!("reply" in answer)) throw new TypeError(`${operation.declared.name} did not reply`);
    return { status: 200, headers, body: operation.stringify(answer.reply) };
  } catch (error) {
    const wireError = wireErrorOf(error);
    if (!wireError || wireError.status >= 500) throw error;
    Object.assign(headers, internalErrorHeaders(wireError));
    return { status: wireError.status, headers, body: JSON.stringify(wireError.body()) };
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
 * unexpectedly or takes much longer than the first is left out, so that it affects no other. If a store is
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
    if (!operation) throw new TypeError(`${request.caller.operation} does not share calls`);
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
