/**
 * Whether a cache holds what an entity tag names; a proxy that compresses marks what it knows as weak, and `*` is whatever there
 * is (RFC 9110, section 13.1.2).
 */
export const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch
    ?.split(",")
    .map((known) => known.trim().replace(/^W\//, ""))
    .some((known) => known === etag || known === "*") ?? false;
