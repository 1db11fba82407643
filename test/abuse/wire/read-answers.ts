/** An answer as it came. */
export interface WireAnswer {
  status: number;
  /** Its lines, the status line not among them. */
  head: string;
  body: Buffer;
}

/** What was read of some bytes. */
export interface ReadAnswers {
  answers: readonly WireAnswer[];
  /** Bytes of an answer that is not complete, or that are none. */
  rest: Buffer;
}

const headEnd = "\r\n\r\n";
const statusLine = /^HTTP\/1\.1 (\d{3}) [^\r\n]*(?:\r\n|$)/;
const start = "HTTP/1.1 ";
const endOfChunks = "0\r\n\r\n";

/** How long a body is; undefined where its end has not come yet. An answer to HEAD says a length and has no body. */
const bodyLength = (head: string, status: number, after: Buffer): number | undefined => {
  if (status < 200 || status === 204 || status === 304) return 0;
  if (after.toString("latin1", 0, start.length) === start) return 0;
  const said = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (said !== undefined) return after.length < Number(said) ? undefined : Number(said);
  const end = after.indexOf(endOfChunks);
  return end < 0 ? undefined : end + endOfChunks.length;
};

/** Reads whole answers one after the other. */
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
