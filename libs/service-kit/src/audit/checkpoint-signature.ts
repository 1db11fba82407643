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

/** What an export signs of one log. */
export interface ExportHead extends ChainHead {
  /** Every log that is in the export. */
  schemas: readonly string[];
  /** The position after which the chain began. */
  start: number;
}

/**
 * A checkpoint rests beside the chain; a start says where it begins since it was pruned; an export, where it ended when that was
 * made. None passes for another.
 */
type Purpose = "checkpoint" | "start" | "export";

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

/** Signs under the newest secret, by Ed25519: who verifies needs no secret. */
export const signHead = <P extends Purpose>(
  ring: SecretRing,
  purpose: P,
  head: HeadOf<P>,
): Buffer => signBytes(null, textOf(purpose, head), privateKeys(ring)[0]);

/** Whether one of the keys has signed this. */
export const isSigned = <P extends Purpose>(
  keys: readonly KeyObject[],
  purpose: P,
  { signature, ...head }: HeadOf<P> & { signature: Buffer },
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
