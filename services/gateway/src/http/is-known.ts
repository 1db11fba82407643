/** Whether a cache holds what an entity tag names; a proxy that compresses marks what it knows as weak. */
export const isKnown = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(",").some((known) => known.trim().replace(/^W\//, "") === etag) ?? false;
