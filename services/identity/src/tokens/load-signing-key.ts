import {
  createTokenSigner,
  type SecretRing,
  type TokenSigner,
  toPublicJwk,
} from "@latchkey/crypto";
import type { SigningKeyRow } from "./queries.ts";
import type { KeyTimes } from "./signing-key-rules.ts";
import { openPrivateKey, parseJwk } from "./stored-private-key.ts";

/** The public half of a key as a JWKS shows it. */
export type PublicJwk = Record<string, unknown> & { kid: string; alg: string };

/** A row of the table, read. */
export interface LoadedKey extends KeyTimes {
  kid: string;
  alg: string;
  publicJwk: PublicJwk;
  /** The private half as its row keeps it. */
  stored: string;
  /** Absent when the private half cannot be opened, or is none of the algorithm. */
  signer: TokenSigner | undefined;
}

const signerOf = (ring: SecretRing, { id: kid, alg, privateKey }: SigningKeyRow) => {
  const privateJwk = openPrivateKey(ring, privateKey);
  if (!privateJwk) return undefined;
  try {
    return createTokenSigner({ kid, alg }, privateJwk);
  } catch {
    return undefined;
  }
};

/** Reads a row; undefined when not even its public half can be read. What `known` holds opened is not opened again. */
export const loadSigningKey = (
  ring: SecretRing,
  row: SigningKeyRow,
  known: LoadedKey | undefined,
): LoadedKey | undefined => {
  const { id: kid, alg, createdAt, retiredAt, privateKey: stored } = row;
  const publicJwk = parseJwk(row.publicKey);
  if (!publicJwk) return undefined;
  return {
    kid,
    alg,
    publicJwk: { ...toPublicJwk(publicJwk), alg, kid },
    createdAt,
    retiredAt,
    stored,
    signer: known?.stored === stored ? known.signer : signerOf(ring, row),
  };
};
