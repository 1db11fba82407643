import { createHash } from "node:crypto";

const safe = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const hashed = /^[0-9a-f]{40}$/;
const domainEnd = ".invalid";

/**
 * An address for somebody whose provider tells none: one that no mail can go to (RFC 2606), theirs alone, and never
 * verified. Ids that differ in nothing but the case of letters stay apart.
 */
export const placeholderEmail = (provider: string, id: string): string => {
  const local =
    safe.test(id) && id.length <= 64 && !hashed.test(id)
      ? id
      : createHash("sha256").update(id).digest("hex").slice(0, 40);
  return `${local}@${provider}${domainEnd}`;
};

/** Whether an address is one that no mail can go to: any below `.invalid`, whoever it was made for. */
export const isPlaceholderEmail = (email: string): boolean => email.endsWith(domainEnd);
