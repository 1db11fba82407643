import { isAllowedRedirect } from "./redirect-target.ts";
import { isSafeRelativePath } from "./safe-relative-path.ts";

type IsTrusted = (value: string) => boolean;

/** The allowed targets other than the trusted origins: our own base URL and the operator's error page. */
export interface CallbackPlaces {
  /** Includes the base path. */
  baseUrl: string;
  errorUrl: string | undefined;
  /** Whether previews at an origin get the responses of providers. */
  isPreview: IsTrusted;
}

const isSamePage = (value: string, page: string | undefined): boolean => {
  if (page === undefined) return false;
  const [there, expected] = [URL.parse(value), new URL(page)];
  return there?.origin === expected.origin && there.pathname === expected.pathname;
};

/** A preview is trusted with nothing but the response that it waits for. */
const isPreviewCallback = (value: string, isPreview: IsTrusted): boolean =>
  /\/callback\/[^/]+\/oauth-proxy$/.test(URL.parse(value)?.pathname ?? "") && isPreview(value);

/** A relative path stays one, whatever was appended to its query. */
const isOwnPath = (value: string): boolean => isSafeRelativePath(value.split("?", 1)[0] ?? "");

/**
 * Returns where a browser that returns from a provider is redirected: the stored target if it is still allowed, otherwise our error page.
 * The
 * target was stored when the sign-in started, and the trusted origins may have changed since (RFC 9700, 4.11).
 */
export const callbackTarget = (
  place: string,
  { baseUrl, errorUrl, isPreview }: CallbackPlaces,
  isTrusted: IsTrusted,
): string => {
  const isKnown = (value: string) =>
    isTrusted(value) || isSamePage(value, errorUrl) || isPreviewCallback(value, isPreview);
  return isOwnPath(place) || isAllowedRedirect(place, isKnown)
    ? place
    : `${baseUrl}/error?error=invalid_callback_url`;
};
