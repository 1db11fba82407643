export { createVerifier, type Verifier, type VerifyRequest } from "./create-verifier.ts";
export type { Verification, VerifiedKey } from "./verification.ts";
export type { VerifierOptions } from "./verifier-options.ts";
