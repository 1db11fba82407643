import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from "node:crypto";
import type { SecretRing } from "@latchkey/crypto";

/** The signed claim that a chain had this hash at this position. */
export interface ChainHead {
  schema: string;
  position: number;
  hash: Buffer;
  at: Date;
}

/** The signed claim of an export about one log. */
export interface ExportHead extends ChainHead {
  /** The schemas of all logs in the export. */
  schemas: readonly string[];
  start: number;
}

/**
 * Domain separation of signatures. A checkpoint is stored next to the chain. A start records where a pruned chain begins. An
 * export records the chain's end when it was made. A signature for one purpose is invalid for the others.
 */
type Purpose = "checkpoint" | "start" | "export";

const keyPurpose = "audit checkpoint";
/** Prefix of a private Ed25519 key in PKCS #8 (RFC 8410, section 7). The key's 32 bytes follow. */
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

type HeadOf<P extends Purpose> = P extends "export" ? ExportHead : ChainHead;

const textOf = (purpose: Purpose, head: ChainHead | ExportHead): Buffer => {
  const { schema, position, hash, at } = head;
  const ofExport = "schemas" in head ? [head.schemas, head.start] : [];
  return Buffer.from(
    JSON.stringify([
      `latchkey audit ${purpose}`,
      schema,
      position,
      hash.toString("hex"),
      at.toISOString(),
      ...ofExport,
    ]),
  );
};

/** Signs with the Ed25519 key of the newest secret, so that verification needs no secret. */
export const signHead = <P extends Purpose>(
  ring: SecretRing,
  purpose: P,
  head: HeadOf<P>,
): Buffer => signBytes(null, textOf(purpose, head), privateKeys(ring)[0]);

/** Returns whether one of the keys has signed this claim. */
export const isSigned = <P extends Purpose>(
  keys: readonly KeyObject[],
  purpose: P,
  { signature, ...head }: HeadOf<P> & { signature: Buffer },
): boolean => keys.some((key) => verifyBytes(null, textOf(purpose, head), key, signature));

/** Returns the public keys of the installation, the newest secret's key first. */
export const checkpointKeys = (ring: SecretRing): KeyObject[] =>
  privateKeys(ring).map((key) => createPublicKey(key));

/** Returns a public key as text, the base64url of its 32 bytes, for verification without the secret. */
export const writeCheckpointKey = (key: KeyObject): string => key.export({ format: "jwk" }).x ?? "";

/** Parses a public key, or returns undefined if the text is not one. */
export const readCheckpointKey = (text: string): KeyObject | undefined => {
  if (text.length !== keyLength) return undefined;
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
  } catch {
    return undefined;
  }
};
