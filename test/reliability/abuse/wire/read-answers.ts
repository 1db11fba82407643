/** An answer as it was received. */
export interface WireAnswer {
  status: number;
  /** Header lines, without the status line. */
  head: string;
  body: Buffer;
}

/** The result of parsing some bytes. */
export interface ReadAnswers {
  answers: readonly WireAnswer[];
  /** Bytes of an incomplete or invalid answer. */
  rest: Buffer;
}

const headEnd = "\r\n\r\n";
const statusLine = /^HTTP\/1\.1 (\d{3}) [^\r\n]*(?:\r\n|$)/;
const start = "HTTP/1.1 ";
const endOfChunks = "0\r\n\r\n";

/**
 * Returns the length of a body, or undefined if its end has not arrived yet. An answer to HEAD states a length but has no body.
 */
const bodyLength = (head: string, status: number, after: Buffer): number | undefined => {
  if (status < 200 || status === 204 || status === 304) return 0;
  if (after.toString("latin1", 0, start.length) === start) return 0;
  const said = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (said !== undefined) return after.length < Number(said) ? undefined : Number(said);
  const end = after.indexOf(endOfChunks);
  return end < 0 ? undefined : end + endOfChunks.length;
};

/** Parses complete answers one after the other. */
export const readAnswers = (bytes: Buffer): ReadAnswers => {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(headEnd);
    if (end < 0) return { answers, rest };
    const text = rest.toString("latin1", 0, end);
    const line = statusLine.exec(text);
    if (!line) return { answers, rest };
    const [status, head] = [Number(line[1]), text.slice(line[0].length)];
    const after = rest.subarray(end + headEnd.length);
    const length = bodyLength(head, status, after);
    if (length === undefined) return { answers, rest };
    answers.push({ status, head, body: after.subarray(0, length) });
    rest = after.subarray(length);
  }
};
