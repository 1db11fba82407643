import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { answerInTurn } from "./answer-in-turn.ts";
import { retryAfterHeaders, wireErrorOf } from "./error-answer.ts";
import { closeGracefully } from "./close-gracefully.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { sendJson } from "./send-json.ts";
import type { Logger } from "../observe/logger.ts";

/** The largest body that an operation accepts. */
export const bodyBytesMax = 1024 * 1024;

const requestMilliseconds = 15_000;
const keepAliveMilliseconds = 72_000;
/**
 * A connection without traffic for this time, up to twice as long, is closed. No request takes that long, so its client has
 * stopped reading.
 */
const stalledMilliseconds = 2 * requestMilliseconds;
const urlBytesMax = 16 * 1024;
/** Larger for internal requests, because the gateway adds the signed caller. */
const internalHeaderBytesMax = 160 * 1024;

/** The part of an oversized body that is read and discarded. A larger body ends the connection. */
const drainedBytesMax = 8 * bodyBytesMax;

/**
 * Discards an oversized body before the reply. If the connection were closed while the client writes, it would be reset, and
 * the client or a proxy would never read the reply. The connection may then stay open.
 */
const throwAway = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  if (!(Number(request.headers["content-length"]) <= drainedBytesMax)) return;
  await finished(request.raw.resume()).catch(() => {}); // a disconnected client reads no reply
  reply.removeHeader("connection");
};

/** Operations validate and serialize by their contract. Fastify would load its own compilers, which take memory. */
const refuse = (): never => {
  throw new TypeError("Routes have no schemas of Fastify. Declare an operation in the contract.");
};

/** Additional settings of a public server: generated request ids, and headers on every reply. */
export interface Front {
  newRequestId: () => string;
  /** Headers of every reply, in addition to the request id. */
  headers: Readonly<Record<string, string>>;
  /** Returns the target that is served instead of the given one. */
  targetFor?: (target: string) => string;
}

/**
 * Creates a Fastify server with limits and deadlines, and bodies as raw bytes. Converts catalogue errors to HTTP. Any other
 * error is a 500 without a body. A client that sends slowly is cut off after `requestMilliseconds`, one that reads nothing
 * after `stalledMilliseconds`. Without `front`, a request keeps the id that the gateway assigned.
 */
export const createServer = (logger: Logger, front?: Front): FastifyInstance => {
  const targetFor = front?.targetFor;
  const headersOf = (requestId: string) =>
    front ? { "x-request-id": requestId, ...front.headers } : {};
  const app = Fastify({
    ...(targetFor && { rewriteUrl: ({ url = "/" }: IncomingMessage) => targetFor(url) }),
    loggerInstance: logger,
    // A child logger per request would redact its bindings again each time. The two log calls below pass the request id
    // instead.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    ...(front
      ? { requestIdHeader: false, genReqId: front.newRequestId }
      : { requestIdHeader: "x-request-id" }),
    // An invalid target is a path without an operation.
    frameworkErrors: (_error, request, reply) => {
      const answer: FastifyReply = reply;
      answer.code(404).headers(headersOf(request.id)).send();
    },
    schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMilliseconds,
    connectionTimeout: stalledMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    routerOptions: { maxParamLength: urlBytesMax },
    // While closing, requests on open connections are answered, and the connections are closed afterwards.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // Node checks for slow clients at intervals and applies the longer of two deadlines.
    http: {
      maxHeaderSize: front ? 2 * urlBytesMax : internalHeaderBytesMax,
      headersTimeout: requestMilliseconds,
      connectionsCheckingInterval: 1_000,
    },
    clientErrorHandler: refuseUnreadable(() => headersOf(front?.newRequestId() ?? "")),
  }) as unknown as FastifyInstance;
  answerInTurn(app);
  if (front)
    app.addHook("onRequest", (request, reply, done) => {
      reply.header("x-request-id", request.id).headers(front.headers);
      done();
    });
  closeGracefully(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send();
  });
  app.setErrorHandler(async (error, request, reply) => {
    const known = wireErrorOf(error);
    if (!known) {
      request.log.error({ err: error, reqId: request.id }, "unexpected error");
      return reply.code(500).send();
    }
    // A client that disconnected while sending is not a server error.
    if (known.status >= 500 && !request.raw.socket.destroyed)
      request.log.warn({ err: error, reqId: request.id }, "request failed with a server error");
    reply.headers(retryAfterHeaders(known));
    if (known.status === 413) await throwAway(request, reply);
    return sendJson(reply.code(known.status), JSON.stringify(known.body()));
  });
  return app;
};
