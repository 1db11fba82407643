import { createHmac, hash, type KeyObject } from "node:crypto";

const blockBytes = 64;
const digestBytes = 32;

/** Longer messages are no hot path's. */
const messageBytesMax = 16 * 1024;
const bytesPerUnitMax = 3; // UTF-8 of a UTF-16 unit

/** The two inputs of RFC 2104, the padded key in front; the rest is written anew for each message. */
interface Inputs {
  inner: Buffer;
  outer: Buffer;
}

const inputsOf = new WeakMap<KeyObject, Inputs>();

function createInputs(key: KeyObject): Inputs {
  const exported = key.export();
  const bytes = exported.length > blockBytes ? hash("sha256", exported, "buffer") : exported;
  const padded = (length: number, pad: number): Buffer => {
    const input = Buffer.alloc(length, pad);
    for (const [index, byte] of bytes.entries()) input[index] = byte ^ pad;
    return input;
  };
  return {
    inner: padded(blockBytes + messageBytesMax, 0x36),
    outer: padded(blockBytes + digestBytes, 0x5c),
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) of a text's UTF-8 bytes, or of bytes, under a secret key. Three of them are made for each
 * request, and two one-shot hashes cost half of one `createHmac`, whose object the garbage collector has to find again.
 */
export function hmacSha256(
  key: KeyObject,
  message: string | Uint8Array,
  encoding: "base64" | "base64url",
): string {
  const isText = typeof message === "string";
  if (message.length * (isText ? bytesPerUnitMax : 1) > messageBytesMax)
    return createHmac("sha256", key).update(message).digest(encoding);
  const inputs = inputsOf.get(key) ?? createInputs(key);
  inputsOf.set(key, inputs);
  const { inner, outer } = inputs;
  let length = message.length;
  if (isText) length = inner.write(message, blockBytes, "utf8");
  else inner.set(message, blockBytes);
  const digest = hash("sha256", inner.subarray(0, blockBytes + length), "latin1");
  outer.write(digest, blockBytes, "latin1");
  return hash("sha256", outer, encoding);
}
