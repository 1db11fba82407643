import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WireError } from "@latchkey/contracts";

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** Time for the client to read the reply. Closing earlier would reset the connection. */
const partingMilliseconds = 1_000;

/** A private member of Node: the first unfinished response on a connection. */
type Answering = Socket & { _httpMessage?: ServerResponse | null };

/** Returns the headers of a reply. */
type HeadersOf = () => Record<string, string>;

type ReadError = Error & { code?: string };

const write = (headersOf: HeadersOf, error: ReadError, socket: Socket): void => {
  const body = JSON.stringify(new WireError("VALIDATION_ERROR").body());
  const headers = {
    ...headersOf(),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = statusLines[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
};

/**
 * Answers a request that Node could not parse, with the usual envelope and headers, and then closes the connection, even if the
 * client does not. Earlier requests on the same connection are answered first, because a reply before or within another would
 * be taken for that one. A request that already has its reply gets no second one.
 */
export const refuseUnreadable = (
  headersOf: HeadersOf,
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
    write(headersOf, error, socket);
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
