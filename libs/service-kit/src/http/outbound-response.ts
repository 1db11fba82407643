import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import type { BoundedAnswer } from "./bounded-exchange.ts";
import { OutboundError } from "./outbound-error.ts";

const decoders = {
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

const isDecodable = (encoding: string): encoding is keyof typeof decoders =>
  Object.hasOwn(decoders, encoding);

/** These statuses have no body, and `Response` rejects one. */
const bodilessStatuses = new Set([204, 205, 304]);

const isTooLarge = (error: unknown): boolean =>
  (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";

/**
 * Decodes a body, because some servers always send compressed files. Stops at the size limit, which also stops decompression
 * bombs.
 */
const decode = (body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> | Buffer => {
  if (encoding === "identity" || body.length === 0) return body;
  if (!isDecodable(encoding)) throw new Error("an unknown encoding");
  return decoders[encoding](body, { maxOutputLength: bytesMax });
};

const readHeaders = (answered: BoundedAnswer["headers"]): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answered))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
};

const build = async (answer: BoundedAnswer, bytesMax: number): Promise<Response> => {
  const { status } = answer;
  const headers = readHeaders(answer.headers);
  if (bodilessStatuses.has(status)) return new Response(null, { status, headers });
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const body = await decode(answer.body, encoding, bytesMax);
  // They describe the encoded body.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(new Uint8Array(body), { status, headers });
};

/** Converts a reply to a `Response`. An invalid one, such as with status 999, is `no connection`. */
export const readResponse = async (
  answer: BoundedAnswer,
  { origin, bytesMax }: { origin: string; bytesMax: number },
): Promise<Response> => {
  try {
    return await build(answer, bytesMax);
  } catch (error) {
    if (isTooLarge(error)) throw new OutboundError("too large", origin);
    throw new OutboundError("no connection", origin, "unreadable answer");
  }
};
