/** The parts of a request as they go on the wire. */
export interface HttpText {
  line: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer | string;
}

/** As bytes of latin1, with a length where there is a body and nothing else says one. */
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
