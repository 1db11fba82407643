/** The parts of a request as they are sent. */
export interface HttpText {
  line: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer | string;
}

/** Encodes as latin1. Adds Content-Length if there is a body and no other header states its length. */
export const toBytes = ({ line, headers, body = "" }: HttpText): Buffer => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const saysLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const all =
    bytes.length > 0 && !saysLength
      ? [...headers, ["content-length", String(bytes.length)] as const]
      : headers;
  const lines = [line, ...all.map(([name, value]) => `${name}: ${value}`), "", ""];
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), bytes]);
};
