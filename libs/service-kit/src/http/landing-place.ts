import type { Caller, Options } from "@latchkey/contracts";
import { splitUrl } from "./set-query.ts";

/** The configured addresses of applications. */
export type AppUrls = Options["appURL"];

type Source = Pick<Caller, "baseUrl" | "origin">;

const originOf = (url: string): string => new URL(url).origin;

/** Returns the address of the requesting application: that of its origin, else the first one, or undefined if none is known. */
export const applicationUrl = (
  appURL: AppUrls,
  { baseUrl, origin }: Source,
): string | undefined => {
  const urls = [appURL].flat();
  const own = urls.find((url) => originOf(url) === origin);
  if (own !== undefined) return own;
  return origin === undefined || origin === originOf(baseUrl) ? urls[0] : origin;
};

/**
 * Returns the final target of a link. A path belongs to the requesting application, so it becomes a URL before it is mailed,
 * because the link itself opens on our origin. It stays a path if the application shares our origin or is unknown. Without a
 * callback, the target is the application, or undefined if that is unknown. Callers must validate callbacks first.
 */
export function landingPlace(appURL: AppUrls, source: Source, callback: string): string;
export function landingPlace(
  appURL: AppUrls,
  source: Source,
  callback: string | undefined,
): string | undefined;
export function landingPlace(
  appURL: AppUrls,
  source: Source,
  callback: string | undefined,
): string | undefined {
  const application = applicationUrl(appURL, source);
  if (!callback) return application;
  const isOurs = source.origin === originOf(source.baseUrl);
  if (!callback.startsWith("/") || isOurs || application === undefined) return callback;
  const { page } = splitUrl(callback);
  return new URL(page, application).href + callback.slice(page.length);
}

/**
 * Returns whether a one-time token may be sent to a URL: its origin and path must equal those of a configured page (RFC 9700 section 2.1).
 * A trusted origin alone does not suffice, because another of its pages may redirect to any address, or show its own address to others.
 */
export const isTokenPage = (pages: readonly string[], target: string): boolean => {
  const url = URL.parse(target);
  if (!url) return false;
  const page = url.origin + url.pathname;
  return pages.some((one) => new URL(one).href === page);
};
