import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Reads `Authorization: Bearer <service token>` and returns the caller's name. Compares digests in constant time, so that
 * timing reveals nothing about a token.
 */
export const createServiceTokenReader = (tokens: Readonly<Record<string, string>>) => {
  const tokenDigests = Object.entries(tokens).map(([name, token]) => ({
    name,
    digest: digest(token),
  }));
  return (authorization: string | undefined): string | undefined => {
    if (!authorization?.startsWith("Bearer ")) return undefined;
    const actual = digest(authorization.slice("Bearer ".length));
    return tokenDigests.find((token) => timingSafeEqual(token.digest, actual))?.name;
  };
};
