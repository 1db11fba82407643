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
const signature = signHead(ring, "checkpoint", head);

test("what was signed is known to be, and nothing else", () => {
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

/** Attack: the signed end of an export is put among checkpoints, or the other way round. */
test("a checkpoint passes for no export, and an export for no checkpoint", () => {
  const keys = checkpointKeys(ring);
  expect(isSigned(keys, "export", { ...head, signature })).toBe(false);
  const ofExport = signHead(ring, "export", head);
  expect(isSigned(keys, "export", { ...head, signature: ofExport })).toBe(true);
  expect(isSigned(keys, "checkpoint", { ...head, signature: ofExport })).toBe(false);
});

test("after a rotation the older secret verifies while it is listed, and the newer one signs", () => {
  const before = createSecretRing([older]);
  const during = createSecretRing([newer, older]);
  const old = { ...head, signature: signHead(before, "checkpoint", head) };
  const fresh = { ...head, signature: signHead(during, "checkpoint", head) };
  const verifies = (of: typeof ring, signed: typeof old) =>
    isSigned(checkpointKeys(of), "checkpoint", signed);
  expect([verifies(during, old), verifies(during, fresh)]).toEqual([true, true]);
  expect([verifies(ring, old), verifies(ring, fresh)]).toEqual([false, true]);
});

test("a key goes as text to those who verify without the secret", () => {
  const [text = ""] = checkpointKeys(ring).map(writeCheckpointKey);
  expect(text).toMatch(/^[\w-]{43}$/);
  const key = readCheckpointKey(text);
  expect(key && isSigned([key], "checkpoint", { ...head, signature })).toBe(true);
});

test.each(["", "x", "x".repeat(44), "!".repeat(43), "é".repeat(43)])("%j is no key", (text) => {
  expect(readCheckpointKey(text)).toBeUndefined();
});
