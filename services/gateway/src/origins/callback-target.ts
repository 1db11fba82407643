import { isAllowedRedirect } from "./redirect-target.ts";
import { isSafeRelativePath } from "./safe-relative-path.ts";

type IsTrusted = (value: string) => boolean;

/** What is asked besides the trusted origins: where we are, and the operator's own page for errors. */
export interface CallbackPlaces {
  /** With the base path. */
  baseUrl: string;
  errorUrl: string | undefined;
}

const isSamePage = (value: string, page: string | undefined): boolean => {
  if (page === undefined) return false;
  const [there, known] = [URL.parse(value), new URL(page)];
  return there?.origin === known.origin && there.pathname === known.pathname;
};

/** A path of our own stays one, whatever was added to its query. */
const isOwnPath = (value: string): boolean => isSafeRelativePath(value.split("?", 1)[0] ?? "");

/**
 * Where a browser that comes back from a provider may be sent on: the place, if it may still be gone to, else our error
 * page. The place was kept when the sign-in began, and what is trusted may have changed since (RFC 9700, 4.11).
 */
export const callbackTarget = (
  place: string,
  { baseUrl, errorUrl }: CallbackPlaces,
  isTrusted: IsTrusted,
): string => {
  const isKnown = (value: string) => isTrusted(value) || isSamePage(value, errorUrl);
  return isOwnPath(place) || isAllowedRedirect(place, isKnown)
    ? place
    : `${baseUrl}/error?error=invalid_callback_url`;
};
