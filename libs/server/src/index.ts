export { createVerifier, type Verifier, type VerifyRequest } from "./api-keys/create-verifier.ts";
export type { Verification, VerifiedKey } from "./api-keys/verification.ts";
export type { VerifierOptions } from "./api-keys/verifier-options.ts";
export { createLatchkey, type GetSessionOptions, type Latchkey } from "./create-latchkey.ts";
export { LatchkeyError, type LatchkeyErrorCode } from "./latchkey-error.ts";
export type { LatchkeyOptions } from "./latchkey-options.ts";
export { handBackCookies, type ResponseLike } from "./requests/hand-back-cookies.ts";
export type {
  Access,
  AccessToken,
  AuthorizeOptions,
  ProtectedResource,
  RefusedAccess,
  ResourceMetadata,
  ResourceOptions,
} from "./resources/protect-resource.ts";
export type { HeaderSource, RequestLike } from "./requests/request-headers.ts";
export type {
  AdditionalFields,
  LiveSession,
  Session,
  SessionResult,
  SignedOut,
  TokenSession,
  User,
} from "./sessions/session.ts";
export type { TokenClaims, TokenRefusal, TokenVerification } from "./tokens/token-claims.ts";
