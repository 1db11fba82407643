/** The request headers that the check reads, each as received. */
export interface OriginCheckHeaders {
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly secFetchSite?: string | undefined;
}

/** Values of Sec-Fetch-Site for a page of another origin, including a sibling subdomain. */
const foreignSites: ReadonlySet<string | undefined> = new Set(["cross-site", "same-site"]);

/**
 * The cross-site request forgery check of POST requests.
 *
 * Applies to requests with cookies, and to those that the browser marks as coming from another origin, because login CSRF needs no cookie.
 * A request without a source passes only if the browser does not mark it as foreign: a client that sends none of these headers is not a
 * browser page. An opaque origin (`null`, or an empty header) is a source that no pattern trusts by name.
 */
export function checkOrigin(
  headers: OriginCheckHeaders,
  isTrusted: (value: string) => boolean,
): "pass" | "refuse" {
  const isForeign = foreignSites.has(headers.secFetchSite?.trim().toLowerCase());
  if (!isForeign && headers.cookie === undefined) return "pass";
  const source = headers.origin ?? headers.referer;
  if (source === undefined) return isForeign ? "refuse" : "pass";
  return isTrusted(source) ? "pass" : "refuse";
}

/** Returns a hint for the developer of a page: why its source is refused and what to change. Names only what the client sent. */
export function explainRefusedOrigin(source: string | undefined): string {
  if (source === undefined)
    return "The browser reports that the request comes from another origin, but the request has no Origin and no Referer.";
  const { origin, protocol } = URL.parse(source) ?? {};
  return protocol === "https:" || protocol === "http:"
    ? `${origin} is not a trusted origin. Add it to TRUSTED_ORIGINS, or set BASE_URL to it if clients reach Latchkey there.`
    : "The request comes from an opaque origin or an unknown scheme. Add an app's own scheme in full to TRUSTED_ORIGINS.";
}
