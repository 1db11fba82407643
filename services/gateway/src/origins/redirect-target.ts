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

/** Whether a browser may be sent to this value: a safe relative path, or an honest URL of a trusted origin. */
export function isAllowedRedirect(value: string, isTrusted: (value: string) => boolean): boolean {
  if (isSafeRelativePath(value)) return true;
  return plainText.test(value) && isHonest(value) && isTrusted(value);
}

/**
 * Whether every parser reads the same target from the text. The host must be written the way it parses, which rules
 * out numeric and escaped hosts, missing or surplus slashes and empty ports in one comparison; userinfo, there only
 * to mislead a reader, fails it too. Hosts such as `evil.com;.example.org` parse, but other readers cut them short.
 */
function isHonest(value: string): boolean {
  const scheme = schemeOf.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  const url = URL.parse(value);
  if (url === null || refusedSchemes.has(scheme)) return false;
  if (url.origin === "null") return true;
  const written = authorityOf.exec(value)?.[1]?.toLowerCase();
  const isAsParsed =
    written === url.host || written === `${url.hostname}${defaultPorts[url.protocol]}`;
  return isAsParsed && ordinaryHost.test(url.hostname);
}
