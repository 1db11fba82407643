import type { FastifyInstance } from "fastify";
import { departureOf } from "./departure-of.ts";

const lookMilliseconds = 100;

/**
 * Lets a server close as soon as what is in flight is answered: from then on, as from the time when its departure is near, each
 * answer says that its connection ends, and a connection that has fallen idle is ended, instead of being waited for as long
 * as it may be kept alive.
 */
export const closeGracefully = (app: FastifyInstance): void => {
  const departure = departureOf(app);
  // Fastify's form with a callback, which costs a hot path no promise, takes four parameters.
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
