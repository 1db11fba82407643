/**
 * Returns whether a cache holds the entity of a tag. A proxy that compresses marks the tag as weak, and `*` matches any entity (RFC 9110,
 * section 13.1.2).
 */
export const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch
    ?.split(",")
    .map((known) => known.trim().replace(/^W\//, ""))
    .some((known) => known === etag || known === "*") ?? false;
