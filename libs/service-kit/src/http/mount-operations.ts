import {
  type Caller,
  callerHeader,
  mailedLinkHeader,
  type Operation,
  WireError,
} from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../observe/metrics.ts";
import { traceRequests } from "../observe/trace-requests.ts";
import type { Tracing } from "../observe/tracing.ts";
import { mountSharedCalls } from "./answer-shared-call.ts";
import { verifyCaller } from "./caller-signature.ts";
import { mountedPath } from "./mounted-path.ts";
import { readSentBody } from "./read-body.ts";
import type { ProtocolInput } from "./read-call.ts";
import {
  type AnyAnswer,
  type AnyHandler,
  asHeader,
  createRunnable,
  type FirstChecks,
  type Handlers,
  type Runnable,
  type RunOptions,
} from "./run-operation.ts";
import { sendJson } from "./send-json.ts";

export interface MountOptions extends RunOptions {
  ring: SecretRing;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** Returns the name of an internal caller from its Authorization header. */
  readServiceToken: (authorization: string | undefined) => string | undefined;
}

const sendAnswer = (
  reply: FastifyReply,
  answer: AnyAnswer<unknown>,
  stringify: (value: unknown) => string,
): void => {
  if ("reply" in answer) sendJson(reply, stringify(answer.reply));
  else if ("protocol" in answer) {
    const { status, headers, body } = answer.protocol;
    reply
      .code(status)
      .headers(headers)
      .send(body === "" ? undefined : body); // an empty text would get a type
  } else if ("file" in answer) reply.type(answer.file.contentType).send(answer.file.bytes);
  else if ("redirect" in answer)
    reply
      .header("content-type", "application/json")
      .redirect(answer.redirect, answer.status ?? 302);
  else reply.header(mailedLinkHeader, asHeader(answer.question)).send();
};

/**
 * Authenticates the caller: signed by the gateway, or for an internal operation a service of the installation or one with a
 * service token.
 */
const authenticate = (
  declared: Operation,
  request: FastifyRequest,
  options: MountOptions,
): Caller | undefined => {
  const signed = request.headers[callerHeader];
  const vouched =
    typeof signed === "string"
      ? verifyCaller(options.ring, signed, { operation: declared.name, now: options.clock() })
      : undefined;
  if (declared.exposure === "public" || vouched?.service !== undefined) return vouched;
  const service = options.readServiceToken(request.headers.authorization);
  const { name: operation } = declared;
  const userAgent = request.headers["user-agent"] ?? "";
  return service === undefined
    ? undefined
    : { requestId: request.id, operation, baseUrl: "", address: request.ip, userAgent, service };
};

/** The headers that a protocol reads. */
const protocolHeaders = ["accept", "authorization", "content-type", "dpop", "origin"] as const;

const protocolInput = (request: FastifyRequest): ProtocolInput => {
  const url = request.raw.url ?? "";
  const mark = url.indexOf("?");
  const headers = protocolHeaders.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return {
    search: mark < 0 ? "" : url.slice(mark),
    headers: Object.fromEntries(headers),
    body: request.body as Buffer | undefined,
  };
};

/** Creates the Fastify handler of an operation. Refuses a caller without a valid signature or service token (403). */
const createRoute = (operation: Runnable, options: MountOptions) => {
  const { declared } = operation;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = authenticate(declared, request, options);
    if (!caller) throw new WireError("FORBIDDEN");
    const body = operation.readsBody
      ? await readSentBody(declared, {
          contentType: request.headers["content-type"],
          body: request.body as Buffer | undefined,
        })
      : undefined;
    const sent = {
      params: request.params,
      query: request.query as Record<string, unknown>,
      body,
      ...(declared.protocol && { protocol: protocolInput(request) }),
    };
    const answer = await operation.run({ caller, sent }, reply);
    sendAnswer(reply, answer, operation.stringify);
    return undefined; // the reply is already sent; Fastify would wait for a returned reply
  };
};

const routeOf = (declared: Operation): string =>
  mountedPath(declared).replaceAll(/\{(\w+)\}/g, ":$1");

interface Mounted<Owned extends Record<string, Operation>> {
  owned: Owned;
  handlers: Handlers<Owned>;
  firstChecks?: FirstChecks<Owned>;
}

/** Mounts a service's operations: public ones at their wire paths, internal ones below `/internal`, and the shared call of the former. */
export const mountOperations = <Owned extends Record<string, Operation>>(
  app: FastifyInstance,
  { owned, handlers, firstChecks, ...options }: Mounted<Owned> & MountOptions,
): void => {
  const runnables: Runnable[] = [];
  for (const [name, declared] of Object.entries(owned)) {
    const first = firstChecks?.[name as keyof Owned];
    const operation = createRunnable(
      // A handler gets only calls of its own operation.
      { declared, handler: handlers[name as keyof Owned] as AnyHandler, first },
      options,
    );
    runnables.push(operation);
    const timer = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      options.metrics.observeRequest(declared.name, reply.statusCode, reply.elapsedTime / 1000);
      done();
    };
    const route = mountedPath(declared);
    const traced =
      options.tracing &&
      traceRequests(options.tracing, () => ({ route, operation: declared.name }));
    app.route({
      method: declared.method,
      url: routeOf(declared),
      ...traced,
      onResponse: traced ? [timer, traced.onResponse] : timer,
      handler: createRoute(operation, options),
    });
  }
  mountSharedCalls(app, runnables, options);
};
