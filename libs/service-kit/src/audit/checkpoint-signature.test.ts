import { createSecretRing } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { nextHash, firstHash } from "./chain-hash.ts";
import {
  checkpointKeys,
  isSigned,
  readCheckpointKey,
  signHead,
  writeCheckpointKey,
} from "./checkpoint-signature.ts";

const older = "an older secret of the tests, long enough";
const newer = "a newer secret of the tests, long enough";
const ring = createSecretRing([newer]);
const head = {
  schema: "identity",
  position: 5,
  hash: nextHash(firstHash, "{}"),
  at: new Date("2030-01-02T03:04:05.678Z"),
};
const exported = { ...head, schemas: ["identity", "mailer"], start: 0 };
const signature = signHead(ring, "checkpoint", head);

test("accepts only the signed content", () => {
  const keys = checkpointKeys(ring);
  expect(isSigned(keys, "checkpoint", { ...head, signature })).toBe(true);
  const others = [
    { schema: "mailer" },
    { position: 6 },
    { hash: firstHash },
    { at: new Date(0) },
    { signature: Buffer.alloc(64) },
    { signature: Buffer.alloc(0) },
  ];
  for (const other of others)
    expect(isSigned(keys, "checkpoint", { ...head, signature, ...other })).toBe(false);
});

/** Attack: a signature is reused for another purpose, such as an export's end as a checkpoint, or a checkpoint as a start. */
test("rejects a signature that was made for another purpose", () => {
  const keys = checkpointKeys(ring);
  expect(isSigned(keys, "export", { ...exported, signature })).toBe(false);
  const ofExport = signHead(ring, "export", exported);
  expect(isSigned(keys, "export", { ...exported, signature: ofExport })).toBe(true);
  for (const others of [{ schemas: ["identity"] }, { start: 4 }])
    expect(isSigned(keys, "export", { ...exported, ...others, signature: ofExport })).toBe(false);
  for (const purpose of ["checkpoint", "start"] as const) {
    expect(isSigned(keys, purpose, { ...exported, signature: ofExport })).toBe(false);
    expect(isSigned(keys, purpose, { ...head, signature: ofExport })).toBe(false);
  }
  expect(isSigned(keys, "start", { ...head, signature })).toBe(false);
});

test("verifies with the older secret after a rotation, and signs with the newer one", () => {
  const before = createSecretRing([older]);
  const during = createSecretRing([newer, older]);
  const old = { ...head, signature: signHead(before, "checkpoint", head) };
  const fresh = { ...head, signature: signHead(during, "checkpoint", head) };
  const verifies = (of: typeof ring, signed: typeof old) =>
    isSigned(checkpointKeys(of), "checkpoint", signed);
  expect([verifies(during, old), verifies(during, fresh)]).toEqual([true, true]);
  expect([verifies(ring, old), verifies(ring, fresh)]).toEqual([false, true]);
});

test("writes and reads a public key as text", () => {
  const [text = ""] = checkpointKeys(ring).map(writeCheckpointKey);
  expect(text).toMatch(/^[\w-]{43}$/);
  const key = readCheckpointKey(text);
  expect(key && isSigned([key], "checkpoint", { ...head, signature })).toBe(true);
});

test.each(["", "x", "x".repeat(44), "!".repeat(43), "é".repeat(43)])(
  "rejects %j as a key",
  (text) => {
    expect(readCheckpointKey(text)).toBeUndefined();
  },
);
