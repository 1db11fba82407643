/** The headers that show the origin of a request, each as received. */
interface SourceHeaders {
  readonly origin?: string | undefined;
  readonly "expo-origin"?: string | string[] | undefined;
}

const webProtocols = new Set(["http:", "https:"]);

/**
 * Returns the origin that a mobile app names for itself. The SDK for Expo sends it, because phones send no Origin. A browser sends an
 * Origin
 * with every POST, and a page must not bypass that check. So the header is ignored beside an Origin and for http and https URLs.
 */
export const appOriginOf = (headers: SourceHeaders): string | undefined => {
  const { origin, "expo-origin": named } = headers;
  if (origin !== undefined || typeof named !== "string") return undefined;
  const url = URL.parse(named);
  return url === null || webProtocols.has(url.protocol) ? undefined : named;
};
