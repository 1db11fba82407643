import type { Socket } from "node:net";
import { WireError } from "@latchkey/contracts";
import type { Front } from "./create-server.ts";

const statusLines: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** For the answer to be read: a connection that is closed before is reset. */
const partingMilliseconds = 1_000;

/**
 * Answers what Node could not read as a request: the envelope and the headers of any other answer, then the end, whether its
 * client ends the connection too or not.
 */
export const refuseUnreadable =
  (front: Front | undefined) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
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
    const parting = setTimeout(() => socket.destroy(), partingMilliseconds);
    socket.once("close", () => clearTimeout(parting));
  };
