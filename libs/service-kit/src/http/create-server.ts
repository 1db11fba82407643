import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { WireError } from "@latchkey/contracts";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { answerInTurn } from "./answer-in-turn.ts";
import { wireErrorOf } from "./error-answer.ts";
import { closeGracefully } from "./close-gracefully.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { sendJson } from "./send-json.ts";
import type { Logger } from "../observe/logger.ts";

/** The largest body that any operation takes. */
export const bodyBytesMax = 1024 * 1024;

const requestMilliseconds = 15_000;
const keepAliveMilliseconds = 72_000;
/** No byte either way for so long, or twice as long, ends a connection: no request takes that, so its client reads no answer. */
const stalledMilliseconds = 2 * requestMilliseconds;
const urlBytesMax = 16 * 1024;
/** Of a request of the gateway, which says who asks. */
const internalHeaderBytesMax = 160 * 1024;

/** A rate limit says it twice, because clients of this wire read the second name. */
const sendRetryAfter = (reply: FastifyReply, { status, retryAfterSeconds }: WireError): void => {
  if (retryAfterSeconds === undefined) return;
  const seconds = String(retryAfterSeconds);
  reply.header("retry-after", seconds);
  if (status === 429) reply.header("x-retry-after", seconds);
};

/** What is read of a body that is too large, and thrown away: more ends the connection. */
const drainedBytesMax = 8 * bodyBytesMax;

/**
 * A connection that is closed while its client still writes is reset, and the client, or a proxy before us, never reads the
 * answer. So a body that is not much too large is thrown away before it is answered; the connection may then go on, or end where
 * either side wants it to.
 */
const throwAway = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  if (!(Number(request.headers["content-length"]) <= drainedBytesMax)) return;
  await finished(request.raw.resume()).catch(() => {}); // a client that went away reads no answer
  reply.removeHeader("connection");
};

/** What a server that the public reaches does besides: ids of our own, and headers on every answer. */
export interface Front {
  newRequestId: () => string;
  headersOf: (requestId: string) => Record<string, string>;
  /** The target that is answered in the place of one. */
  targetFor?: (target: string) => string;
}

/**
 * A Fastify with limits and deadlines set, bodies as untouched bytes, and errors of the catalogue turned into HTTP; any
 * other error is 500 without a body. A client that sends slowly is cut off after `requestMilliseconds`, one that reads nothing
 * after `stalledMilliseconds`.
 * Without `front` a request keeps the id that the gateway gave it.
 */
export const createServer = (logger: Logger, front?: Front): FastifyInstance => {
  const targetFor = front?.targetFor;
  const app = Fastify({
    ...(targetFor && { rewriteUrl: ({ url = "/" }: IncomingMessage) => targetFor(url) }),
    loggerInstance: logger,
    // A logger for each request would redact its bindings anew for each; the two lines below name the request instead.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    ...(front
      ? { requestIdHeader: false, genReqId: front.newRequestId }
      : { requestIdHeader: "x-request-id" }),
    // A target that cannot be read is a path where nothing is.
    frameworkErrors: (_error, request, reply) => {
      const answer: FastifyReply = reply;
      answer
        .code(404)
        .headers(front?.headersOf(request.id) ?? {})
        .send();
    },
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMilliseconds,
    connectionTimeout: stalledMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    routerOptions: { maxParamLength: urlBytesMax },
    // While closing, what still comes on an open connection is answered, and the connection is then closed.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    // Node looks for slow clients at intervals, and takes the longer of two deadlines.
    http: {
      maxHeaderSize: front ? 2 * urlBytesMax : internalHeaderBytesMax,
      headersTimeout: requestMilliseconds,
      connectionsCheckingInterval: 1_000,
    },
    clientErrorHandler: refuseUnreadable(front),
  }) as unknown as FastifyInstance;
  answerInTurn(app);
  if (front)
    app.addHook("onRequest", (request, reply, done) => {
      reply.headers(front.headersOf(request.id));
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
    // A client that went away while it sent is no trouble of ours.
    if (known.status >= 500 && !request.raw.socket.destroyed)
      request.log.warn({ err: error, reqId: request.id }, "answered with an error of ours");
    sendRetryAfter(reply, known);
    if (known.status === 413) await throwAway(request, reply);
    return sendJson(reply.code(known.status), JSON.stringify(known.body()));
  });
  return app;
};
