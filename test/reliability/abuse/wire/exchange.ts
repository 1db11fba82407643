import { connect } from "node:net";
import { readAnswers, type WireAnswer } from "./read-answers.ts";

/** Bytes to send on a new connection, and how. */
export interface Sent {
  /** Origin of the server. */
  to: string;
  /** Each piece is sent in its own write. */
  pieces: readonly Buffer[];
  /** Pause between two pieces. */
  pauseMs?: number;
  /**
   * Ends our side after this number of answers, or after this time without data. Without it, the connection stays open until the
   * server ends it.
   */
  until?: { answers: number; quietMs: number };
  /** Time in which the server has to end the connection. */
  boundMs: number;
}

export interface Received {
  answers: readonly WireAnswer[];
  /** Bytes after the last complete answer. */
  rest: Buffer;
  /** How the connection ended. "nobody" if the time limit was reached. */
  ended: "both" | "reset" | "nobody";
  milliseconds: number;
}

/** Sends bytes unchanged and collects the response until the connection ends. */
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
