import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const waitingMax = 100;

/**
 * Starts a pipelined request only after all earlier ones on its connection are answered. Otherwise a client could send many
 * requests and read no reply, so that 5 kB of requests hold 20 MB of replies in memory. A connection with an unusual number of
 * waiting requests is closed.
 */
export const answerInTurn = (app: FastifyInstance): void => {
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
