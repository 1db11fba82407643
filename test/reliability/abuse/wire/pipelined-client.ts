import { once } from "node:events";
import { connect } from "node:net";
import { readAnswers, type WireAnswer } from "./read-answers.ts";

/** A connection with many requests in flight. */
export interface PipelinedClient {
  /** Sends requests in one write. Resolves with `count` answers in the order in which they arrive. */
  send(requests: Buffer, count: number): Promise<readonly WireAnswer[]>;
  close(): void;
}

export const connectPipelined = async (url: string): Promise<PipelinedClient> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let received: Buffer = Buffer.alloc(0);
  let answers: WireAnswer[] = [];
  let expected = 0;
  let waiting: PromiseWithResolvers<readonly WireAnswer[]> | undefined;
  socket.on("data", (chunk: Buffer) => {
    const read = readAnswers(received.length === 0 ? chunk : Buffer.concat([received, chunk]));
    received = read.rest;
    answers.push(...read.answers);
    if (answers.length >= expected) waiting?.resolve(answers);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return {
    send: async (requests, count) => {
      if (!socket.writable) throw new Error("the server closed the connection");
      waiting = Promise.withResolvers();
      answers = [];
      expected = count;
      socket.write(requests);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
};
