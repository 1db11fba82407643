import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from "node:crypto";
import type { SecretRing } from "@latchkey/crypto";

/** What is signed: that a chain had this hash at this position. */
export interface ChainHead {
  /** Whose chain. */
  schema: string;
  position: number;
  hash: Buffer;
  at: Date;
}

/** A checkpoint rests beside the chain; an export says where the chain ended when it was made. Neither passes for the other. */
type Purpose = "checkpoint" | "export";

const keyPurpose = "audit checkpoint";
/** The beginning of a private Ed25519 key in PKCS 8 (RFC 8410, section 7): its 32 bytes follow. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");
const keyLength = 43;

const privateKeys = (ring: SecretRing): [KeyObject, ...KeyObject[]] => {
  const toPrivate = (derived: KeyObject) =>
    createPrivateKey({
      key: Buffer.concat([pkcs8, derived.export()]),
      format: "der",
      type: "pkcs8",
    });
  const [current, ...older] = ring.derive(keyPurpose);
  return [toPrivate(current), ...older.map(toPrivate)];
};

const textOf = (purpose: Purpose, { schema, position, hash, at }: ChainHead): Buffer =>
  Buffer.from(
    JSON.stringify([
      `latchkey audit ${purpose}`,
      schema,
      position,
      hash.toString("hex"),
      at.toISOString(),
    ]),
  );

/** Signs under the newest secret, by Ed25519: who verifies needs no secret. */
export const signHead = (ring: SecretRing, purpose: Purpose, head: ChainHead): Buffer =>
  signBytes(null, textOf(purpose, head), privateKeys(ring)[0]);

/** Whether one of the keys has signed this. */
export const isSigned = (
  keys: readonly KeyObject[],
  purpose: Purpose,
  { signature, ...head }: ChainHead & { signature: Buffer },
): boolean => keys.some((key) => verifyBytes(null, textOf(purpose, head), key, signature));

/** What verifies the signatures of a deployment, that of the newest secret first. */
export const checkpointKeys = (ring: SecretRing): KeyObject[] =>
  privateKeys(ring).map((key) => createPublicKey(key));

/** A key as text, base64url of its 32 bytes, for those who verify without the secret. */
export const writeCheckpointKey = (key: KeyObject): string => key.export({ format: "jwk" }).x ?? "";

/** The key of a text; undefined for what is none. */
export const readCheckpointKey = (text: string): KeyObject | undefined => {
  if (text.length !== keyLength) return undefined;
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
  } catch {
    return undefined;
  }
};
