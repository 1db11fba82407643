import type { Deps } from "../deps.ts";
import { handoverMilliseconds } from "./signing-key-rules.ts";

/** A new signing key, and the state of the earlier ones. */
export interface Rotation {
  kid: string;
  /** When it starts to sign. */
  signsAt: Date;
  /** The earlier keys that are still published, newest first. */
  older: string[];
  /** How long the present signing key stays published, so that its tokens can be verified. */
  publishedUntil: Date;
}

/** Creates a key that signs once verifiers had time to fetch it. */
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
