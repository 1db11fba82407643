import type { FastifyInstance } from "fastify";
import { departureOf } from "./departure-of.ts";

const lookMilliseconds = 100;

/**
 * Lets a server close as soon as the requests in flight are answered. Once it departs or closes, each reply says `connection:
 * close`, and idle connections are ended instead of waiting for their keep-alive timeout.
 */
export const closeGracefully = (app: FastifyInstance): void => {
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
