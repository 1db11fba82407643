import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Socket } from "node:net";
import type { SdkVersion, WireError } from "@latchkey/contracts";
import { internalErrorHeaders, retryAfterHeaders, wireErrorOf } from "./error-answer.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { sendJson } from "./send-json.ts";
import type { Logger } from "../observe/logger.ts";
import { departureOf } from "./departure-of.ts";

const lookMilliseconds = 100;

/**
 * Lets a server close as soon as the requests in flight are answered. Once it departs or closes, each reply says `connection:
 * close`, and idle connections are ended instead of waiting for their keep-alive timeout.
 */
const closeGracefully = (app: FastifyInstance): void => {
  const departure = departureOf(app);
  // Fastify's callback form takes four parameters and saves a promise on the hot path.
  // oxlint-disable-next-line max-params
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (departure.isNear) reply.header("connection", "close");
    done();
  });
  app.addHook("preClose", (done) => {
    departure.isNear = true;
    const timer = setInterval(() => app.server.closeIdleConnections(), lookMilliseconds);
    app.server.once("close", () => clearInterval(timer));
    done();
  });
};

const waitingMax = 100;

/**
 * Starts a pipelined request only after all earlier ones on its connection are answered. Otherwise a client could send many
 * requests and read no reply, so that 5 kB of requests hold 20 MB of replies in memory. A connection with an unusual number of
 * waiting requests is closed.
 */
const answerInTurn = (app: FastifyInstance): void => {
  const waiting = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, { raw }, done) => {
    // A reply is assigned its socket when it is its turn.
    if (raw.socket) {
      done();
      return;
    }
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > waitingMax) socket.destroy();
    raw.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      done();
    });
  });
};

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
  /** Returns the SDK whose error codes a client expects. */
  sdkVersionOf?: (request: FastifyRequest) => SdkVersion;
  /** Returns the body of an error for a client of another protocol. */
  errorBodyOf?: (request: FastifyRequest, error: WireError) => object | undefined;
}

const bodyFor = (front: Front | undefined, request: FastifyRequest, error: WireError): object =>
  front?.errorBodyOf?.(request, error) ?? error.body(front?.sdkVersionOf?.(request));

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
    // A busy machine starts slowly, which is no reason to fail.
    pluginTimeout: 120_000,
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
    const wireError = wireErrorOf(error);
    if (!wireError) {
      request.log.error({ err: error, reqId: request.id }, "unexpected error");
      return reply.code(500).send();
    }
    // A client that disconnected while sending is not a server error.
    if (wireError.status >= 500 && !request.raw.socket.destroyed)
      request.log.warn({ err: error, reqId: request.id }, "request failed with a server error");
    reply.headers(front ? retryAfterHeaders(wireError) : internalErrorHeaders(wireError));
    if (wireError.status === 413) await throwAway(request, reply);
    const body = bodyFor(front, request, wireError);
    return sendJson(reply.code(wireError.status), JSON.stringify(body));
  });
  return app;
};
