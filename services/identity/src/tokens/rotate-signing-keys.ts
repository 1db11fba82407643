import type { Deps } from "../deps.ts";
import { handoverMilliseconds } from "./signing-key-rules.ts";

/** A new signing key, and what becomes of those before it. */
export interface Rotation {
  kid: string;
  /** From when on it signs. */
  signsAt: Date;
  /** The keys before it that are published still, newest first. */
  older: string[];
  /** Until when the one that signs now is published, and with it all that it has signed can be verified. */
  publishedUntil: Date;
}

/** Has a new key sign, once verifiers had time to learn of it. */
export const rotateSigningKeys = async ({
  clock,
  config,
  signingKeys,
}: Pick<Deps, "clock" | "config" | "signingKeys">): Promise<Rotation> => {
  const kid = await signingKeys.rotate();
  const published = await signingKeys.published();
  const signsAt = clock() + handoverMilliseconds;
  return {
    kid,
    signsAt: new Date(signsAt),
    older: published.map((key) => key.kid).filter((known) => known !== kid),
    publishedUntil: new Date(signsAt + config.jwt.jwks.gracePeriod * 1000),
  };
};
