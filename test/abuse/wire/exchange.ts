import { connect } from "node:net";
import { readAnswers, type WireAnswer } from "./read-answers.ts";

/** What is sent on a connection of its own, and how. */
export interface Sent {
  /** Where to; an origin. */
  to: string;
  /** Each in a write of its own. */
  pieces: readonly Buffer[];
  /** Between two pieces. */
  pauseMs?: number;
  /** Our side is ended once so many answers have come, or nothing for so long; else it stays open until the server ends it. */
  until?: { answers: number; quietMs: number };
  /** How long the server has to end the connection. */
  boundMs: number;
}

export interface Received {
  answers: readonly WireAnswer[];
  /** What came after the last whole answer. */
  rest: Buffer;
  /** Who was first to let go; "nobody" where the bound was reached. */
  ended: "both" | "reset" | "nobody";
  milliseconds: number;
}

/** Sends bytes as they are and takes what comes until the connection is over. */
export const exchange = (sent: Sent): Promise<Received> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(sent.to);
    const begun = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let ended: Received["ended"] = "both";
    let quiet: NodeJS.Timeout | undefined;
    const bound = setTimeout(() => {
      ended = "nobody";
      socket.destroy();
    }, sent.boundMs);
    const awaitQuiet = () => {
      if (!sent.until) return;
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), sent.until.quietMs);
    };
    const write = async () => {
      for (const piece of sent.pieces) {
        if (!socket.writable) return;
        socket.write(piece);
        if (sent.pauseMs !== undefined) await new Promise((go) => setTimeout(go, sent.pauseMs));
      }
      awaitQuiet();
    };
    socket.on("connect", () => {
      void write();
    });
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      awaitQuiet();
      if (sent.until && readAnswers(Buffer.concat(chunks)).answers.length >= sent.until.answers)
        socket.end();
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {
      ended = "reset";
    });
    socket.on("close", () => {
      clearTimeout(bound);
      clearTimeout(quiet);
      const read = readAnswers(Buffer.concat(chunks));
      resolve({ ...read, ended, milliseconds: performance.now() - begun });
    });
  });
