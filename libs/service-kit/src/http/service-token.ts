import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Reads `Authorization: Bearer <service token>`; gives the caller's name. Every token is compared, in constant time. */
export const createServiceTokenReader = (tokens: Readonly<Record<string, string>>) => {
  const known = Object.entries(tokens).map(([name, token]) => ({ name, digest: digest(token) }));
  return (authorization: string | undefined): string | undefined => {
    if (!authorization?.startsWith("Bearer ")) return undefined;
    const given = digest(authorization.slice("Bearer ".length));
    return known.filter((token) => timingSafeEqual(token.digest, given)).at(0)?.name;
  };
};
