import { once } from "node:events";
import { connect } from "node:net";

export interface Answered {
  status: number;
  body: Buffer;
}

/** One connection with one request at a time. */
export interface KeepAliveClient {
  send(request: Buffer): Promise<Answered>;
  close(): void;
}

const headEnd = "\r\n\r\n";
const statusAt = "HTTP/1.1 ".length;

const readAnswer = (bytes: Buffer): Answered | undefined => {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  const bodyStart = end + headEnd.length;
  const bodyEnd = bodyStart + Number(length);
  if (bytes.length < bodyEnd) return undefined;
  return {
    status: Number(head.slice(statusAt, statusAt + 3)),
    body: bytes.subarray(bodyStart, bodyEnd),
  };
};

/**
 * A minimal client, because it shares the machine with the system that it measures: it sends prepared bytes and reads answers
 * with a Content-Length.
 */
export const connectKeepAlive = async ({ hostname, port }: URL): Promise<KeepAliveClient> => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let received: Buffer = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Answered> | undefined;
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    try {
      const answer = readAnswer(received);
      if (!answer) return;
      received = Buffer.alloc(0);
      waiting?.resolve(answer);
    } catch (error) {
      waiting?.reject(error);
    }
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return {
    send: (request) => {
      waiting = Promise.withResolvers<Answered>();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
};
