import { createHash } from "node:crypto";

const safe = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const hashed = /^[0-9a-f]{40}$/;
const domainEnd = ".invalid";

/**
 * Returns an address for a user whose provider sends none. It can receive no mail (RFC 2606), is unique to the user and
 * is never verified. Ids that differ only in letter case get different addresses.
 */
export const placeholderEmail = (provider: string, id: string): string => {
  const local =
    safe.test(id) && id.length <= 64 && !hashed.test(id)
      ? id
      : createHash("sha256").update(id).digest("hex").slice(0, 40);
  return `${local}@${provider}${domainEnd}`;
};

/** Returns whether an address cannot receive mail: any below `.invalid`, for whatever purpose. */
export const isPlaceholderEmail = (email: string): boolean => email.endsWith(domainEnd);
