import { isSafeRelativePath } from "./safe-relative-path.ts";

/** Visible ASCII without the backslash: what parsers neither strip nor rewrite and a Location header can carry. */
const plainText = /^[!-[\]-~]+$/;
const schemeOf = /^([a-z][a-z0-9+.-]*):/i;
const authorityOf = /^[a-z]+:\/\/([^/?#]*)/i;
const ordinaryHost = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/;
const defaultPorts: Readonly<Record<string, string>> = { "https:": ":443", "http:": ":80" };

/** Schemes that run script or open local content in the browser; no pattern, not even `*`, lets them through. */
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

/** What speaks for sending a browser to a value, or else the first thing that speaks against it. */
export type RedirectVerdict =
  | "own path"
  | "trusted"
  | "not plain"
  | "not a URL"
  | "refused scheme"
  | "misleading"
  | "untrusted";

/** Judges a value: a browser may be sent to a safe relative path, or to an honest URL of a trusted origin. */
export function judgeRedirect(
  value: string,
  isTrusted: (value: string) => boolean,
): RedirectVerdict {
  if (isSafeRelativePath(value)) return "own path";
  if (!plainText.test(value)) return "not plain";
  return faultOf(value) ?? (isTrusted(value) ? "trusted" : "untrusted");
}

/** Whether a browser may be sent to this value. */
export function isAllowedRedirect(value: string, isTrusted: (value: string) => boolean): boolean {
  const verdict = judgeRedirect(value, isTrusted);
  return verdict === "own path" || verdict === "trusted";
}

/**
 * Why not every parser would read the same target from the text, or no browser should go there. The host must be written the way
 * it parses, which rules out numeric and escaped hosts, missing or surplus slashes and empty ports in one comparison; userinfo,
 * there only to mislead a reader, fails it too. Hosts such as `evil.com;.example.org` parse, but other readers cut them short.
 */
function faultOf(value: string): RedirectVerdict | undefined {
  const scheme = schemeOf.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  if (refusedSchemes.has(scheme)) return "refused scheme";
  const url = URL.parse(value);
  if (url === null) return "not a URL";
  if (url.origin === "null") return undefined;
  const written = authorityOf.exec(value)?.[1]?.toLowerCase();
  const isAsParsed =
    written === url.host || written === `${url.hostname}${defaultPorts[url.protocol]}`;
  return isAsParsed && ordinaryHost.test(url.hostname) ? undefined : "misleading";
}
