import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WireError } from "@latchkey/contracts";
import type { Front } from "./create-server.ts";

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** For the answer to be read: a connection that is closed before is reset. */
const partingMilliseconds = 1_000;

/** Node's own, by no public name: the first answer on a connection that is not finished. */
type Answering = Socket & { _httpMessage?: ServerResponse | null };

type ReadError = Error & { code?: string };

const write = (front: Front | undefined, error: ReadError, socket: Socket): void => {
  const body = JSON.stringify(new WireError("VALIDATION_ERROR").body());
  const headers = {
    ...front?.headersOf(front.newRequestId()),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = statusLines[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
};

/**
 * Answers what Node could not read as a request: the envelope and the headers of any other answer, then the end, whether its
 * client ends the connection too or not. What was asked for before it on the same connection is answered first, since an answer
 * between two others, or within one, would be taken for theirs; a request that has its answer gets no second one.
 */
export const refuseUnreadable = (
  front: Front | undefined,
): ((error: ReadError, socket: Socket) => void) => {
  const refused = new WeakSet<Socket>();
  const end = (error: ReadError, socket: Socket): void => {
    // oxlint-disable-next-line no-underscore-dangle -- the name is Node's, and there is no other
    const answer = (socket as Answering)._httpMessage;
    if (answer && socket.writable && (answer.req.complete || answer.headersSent)) {
      const isAnswered = !answer.req.complete;
      answer.once("close", () => (isAnswered ? socket.destroySoon() : end(error, socket)));
      return;
    }
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    write(front, error, socket);
    const parting = setTimeout(() => socket.destroy(), partingMilliseconds);
    socket.once("close", () => clearTimeout(parting));
  };
  return (error, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    if (socket.destroyed || refused.has(socket)) return;
    refused.add(socket);
    end(error, socket);
  };
};
