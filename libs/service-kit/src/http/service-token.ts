import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Reads `Authorization: Bearer <service token>`; gives the caller's name. Each comparison is of digests and in
 * constant time, so that the time taken tells nothing of a token. */
export const createServiceTokenReader = (tokens: Readonly<Record<string, string>>) => {
  const known = Object.entries(tokens).map(([name, token]) => ({ name, digest: digest(token) }));
  return (authorization: string | undefined): string | undefined => {
    if (!authorization?.startsWith("Bearer ")) return undefined;
    const given = digest(authorization.slice("Bearer ".length));
    return known.find((token) => timingSafeEqual(token.digest, given))?.name;
  };
};
