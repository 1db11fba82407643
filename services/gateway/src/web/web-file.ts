import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding, type Encoding, encodings } from "../http/choose-encoding.ts";
import { isKnown } from "../http/is-known.ts";

/** A file of a web, plain and compressed. */
export interface WebFile {
  contentType: string;
  bytes: Buffer;
  packed: Partial<Record<Encoding, Buffer>>;
}

const etagOf = ({ bytes }: WebFile): string =>
  `"${createHash("sha256").update(bytes).digest("base64url")}"`;

/** Sends a file in the best encoding that its client accepts. */
const pack = ({ packed, bytes }: WebFile, request: FastifyRequest, reply: FastifyReply): Buffer => {
  const isPacked = encodings.some((encoding) => packed[encoding]);
  if (isPacked) reply.header("vary", "accept-encoding");
  const header = request.headers["accept-encoding"];
  const encoding = chooseEncoding(header, (name) => packed[name] !== undefined);
  if (encoding) reply.header("content-encoding", encoding);
  return (encoding && packed[encoding]) ?? bytes;
};

const sendBy = (cacheControl: string) => (file: WebFile) => {
  const etag = etagOf(file);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // Weak, because the compressed bytes of the same file differ.
    reply.headers({ etag: `W/${etag}`, "cache-control": cacheControl });
    return isKnown(etag, request.headers["if-none-match"])
      ? reply.code(304).send()
      : reply.type(file.contentType).send(pack(file, request, reply));
  };
};

/** Sends a file whose name changes with its bytes. */
export const sendForGood = sendBy("public, max-age=31536000, immutable");

/** Sends a file whose name stays the same, so caches must revalidate it each time. */
export const sendAskedAgain = sendBy("no-cache");
