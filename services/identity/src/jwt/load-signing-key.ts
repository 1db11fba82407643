import {
  createTokenSigner,
  type SecretRing,
  type TokenSigner,
  toPublicJwk,
} from "@latchkey/crypto";
import type { SigningKeyRow } from "./queries.ts";
import type { KeyTimes } from "./signing-key-rules.ts";
import { openPrivateKey, parseJwk } from "./stored-private-key.ts";

/** The public key as in a JWKS. */
export type PublicJwk = Record<string, unknown> & { kid: string; alg: string };

/** A parsed row of the table. */
export interface LoadedKey extends KeyTimes {
  kid: string;
  alg: string;
  publicJwk: PublicJwk;
  /** The private key in stored form. */
  stored: string;
  /** Undefined if the private key cannot be opened or does not match the algorithm. */
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

/** Parses a row. Returns undefined if even its public key is invalid. Reuses keys that are already opened in `known`. */
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
