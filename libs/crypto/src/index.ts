export { decodeBase32, encodeBase32 } from "./base32.ts";
export { constantTimeEqual } from "./constant-time-equal.ts";
export { createHashPool, HashPoolFullError, type HashPool } from "./hash-pool.ts";
export { hmacSha256 } from "./hmac-sha256.ts";
export { messageSecretPrefix, type SignedMessage, signMessage } from "./message-signature.ts";
export {
  isLegacySealed,
  openLegacyKey,
  openLegacyValue,
  sealLegacyKey,
} from "./legacy-sealed-key.ts";
export {
  hashPassword,
  isPasswordHash,
  isPasswordUpgrade,
  type PasswordHashForm,
  upgradePasswordHash,
  verifyPassword,
} from "./password-hash.ts";
export { hashToken, randomToken, type TokenAlphabet } from "./random-token.ts";
export { seal, unseal } from "./sealed-value.ts";
export { type SealedPlace, sealedPlacesOf, type SealPurpose } from "./sealed-values.ts";
export { scramVerifier } from "./scram-verifier.ts";
export { createSecretRing, type KeyList, secretName, type SecretRing } from "./secret-ring.ts";
export {
  decodeSessionData,
  encodeSessionData,
  encodeSessionJson,
  SessionDataTooLargeError,
  type DecodedSessionData,
  type SessionData,
} from "./session-data.ts";
export { signValue, verifySignedValue } from "./signed-value.ts";
export {
  createTokenSigner,
  generateJwkPair,
  type Jwk,
  type JwkPair,
  type KeyPairAlgorithm,
  type TokenSigner,
  toPublicJwk,
} from "./signing-key.ts";
export { findTotpSteps, totpCode, type TotpForm, totpStep, totpUri } from "./totp.ts";
export {
  signVerificationToken,
  verifyVerificationToken,
  type VerificationClaims,
  type VerifiedVerificationToken,
} from "./verification-token.ts";
