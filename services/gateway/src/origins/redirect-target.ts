import { isOrdinaryHost } from "@latchkey/contracts";
import { isSafeRelativePath } from "./safe-relative-path.ts";

/** Visible ASCII without the backslash: parsers neither strip nor rewrite it, and a Location header can carry it. */
const plainText = /^[!-[\]-~]+$/;
const schemeOf = /^([a-z][a-z0-9+.-]*):/i;
const authorityOf = /^[a-z]+:\/\/([^/?#]*)/i;
const defaultPorts: Readonly<Record<string, string>> = { "https:": ":443", "http:": ":80" };

/** Schemes that run scripts or open local content in the browser. No pattern, not even `*`, allows them. */
const refusedSchemes = new Set([
  "javascript",
  "vbscript",
  "data",
  "blob",
  "file",
  "filesystem",
  "about",
  "view-source",
]);

/** The reason to allow a value, or the first reason against it. */
export type RedirectVerdict =
  | "own path"
  | "trusted"
  | "not plain"
  | "not a URL"
  | "refused scheme"
  | "misleading"
  | "untrusted";

/** Judges a redirect target. Allowed are a safe relative path and a well-formed URL of a trusted origin. */
export function judgeRedirect(
  value: string,
  isTrusted: (value: string) => boolean,
): RedirectVerdict {
  if (isSafeRelativePath(value)) return "own path";
  if (!plainText.test(value)) return "not plain";
  return faultOf(value) ?? (isTrusted(value) ? "trusted" : "untrusted");
}

/** Returns whether a browser may be redirected to this value. */
export function isAllowedRedirect(value: string, isTrusted: (value: string) => boolean): boolean {
  const verdict = judgeRedirect(value, isTrusted);
  return verdict === "own path" || verdict === "trusted";
}

/**
 * Returns why parsers might disagree on the target of the text, or why no browser should be sent there. The host must be written in its
 * parsed form. That one comparison rules out numeric and escaped hosts, missing or extra slashes, empty ports, and userinfo, which only
 * misleads readers.
 */
function faultOf(value: string): RedirectVerdict | undefined {
  const scheme = schemeOf.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  if (refusedSchemes.has(scheme)) return "refused scheme";
  const url = URL.parse(value);
  if (url === null) return "not a URL";
  if (url.origin === "null") return undefined;
  const authority = authorityOf.exec(value)?.[1]?.toLowerCase();
  const isAsParsed =
    authority === url.host || authority === `${url.hostname}${defaultPorts[url.protocol]}`;
  return isAsParsed && isOrdinaryHost(url.hostname) ? undefined : "misleading";
}
