/** The request headers that the check reads, each as received. */
export interface OriginCheckHeaders {
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly secFetchSite?: string | undefined;
}

/**
 * The cross-site request forgery check of POST requests.
 *
 * Concerns requests that carry cookies, and those that the browser itself calls cross-site: a sign-in forged from
 * another site needs no cookie. A caller that names no source is no browser page and passes; an opaque origin
 * (`null`, or an empty header) is a source that nobody trusts by name.
 */
export function checkOrigin(
  headers: OriginCheckHeaders,
  isTrusted: (value: string) => boolean,
): "pass" | "refuse" {
  const isConcerned =
    headers.cookie !== undefined || headers.secFetchSite?.trim().toLowerCase() === "cross-site";
  const source = headers.origin ?? headers.referer;
  if (!isConcerned || source === undefined) return "pass";
  return isTrusted(source) ? "pass" : "refuse";
}
