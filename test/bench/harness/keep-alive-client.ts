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

/** Returns the decoded body of a chunked answer, or undefined if the last chunk is missing. */
const readChunks = (bytes: Buffer): Buffer | undefined => {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const start = lineEnd + 2;
    if (bytes.length < start + length + 2) return undefined;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(start, start + length));
    at = start + length + 2;
  }
};

const readBody = (head: string, bytes: Buffer): Buffer | undefined => {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined)
    return bytes.length < Number(length) ? undefined : bytes.subarray(0, Number(length));
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return readChunks(bytes);
  throw new Error(`an answer without a length:\n${head}`);
};

const readAnswer = (bytes: Buffer): Answered | undefined => {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const body = readBody(head, bytes.subarray(end + headEnd.length));
  return body && { status: Number(head.slice(statusAt, statusAt + 3)), body };
};

/**
 * A minimal client, because it shares the machine with the system that it measures: it sends prepared bytes and reads answers
 * with a Content-Length or in chunks.
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
