import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const waitingMax = 100;

/**
 * Begins a request once all before it on its connection are answered. Else a client that sends many at once, and reads none of
 * the answers, has all of these made and kept: five kilobytes of requests would be twenty megabytes of ours. Who has more of them
 * wait than anybody sends is left.
 */
export const answerInTurn = (app: FastifyInstance): void => {
  const waiting = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, { raw }, done) => {
    // An answer gets its connection when it is its turn.
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
