import { wildcardMatch } from "../paths/wildcard-match.ts";

type Matcher = (value: string, url: URL | null) => boolean;

const startsWithScheme = /^[a-z][a-z0-9+.-]*:/i;
const anyPath = /^\/?\**$/;

/**
 * One test for the whole list of trusted origins.
 *
 * - Without `*`: equal to the origin of an http(s) value; for other schemes, its beginning up to a boundary.
 * - `*.my.com`, `localhost:*`: the host and port of the value, whatever its scheme; a value that is no URL as a whole.
 * - `https://*.my.com`, `myapp://*`: scheme and host both; a path in such a pattern may only be stars, any other path
 *   makes it match nothing, so that a pattern never trusts more than it says.
 * - `*`: everything, `null` included.
 *
 * Says nothing about userinfo, odd spellings or script schemes: redirects go through `isAllowedRedirect`.
 *
 * @throws Error when a pattern is empty
 */
export function compileTrustedOrigins(patterns: readonly string[]): (value: string) => boolean {
  const matchers = patterns.map(compilePattern);
  return (value) => {
    const url = URL.parse(value);
    return matchers.some((matches) => matches(value, url));
  };
}

function compilePattern(pattern: string): Matcher {
  if (typeof pattern !== "string" || pattern.trim() === "") {
    throw new Error(
      "A provided trusted origin is invalid, make sure your trusted origins list is properly defined.",
    );
  }
  if (pattern === "*") return () => true;
  if (!pattern.includes("*")) return exactly(pattern);
  return pattern.includes("://") ? schemeAndHost(pattern) : hostOnly(pattern.toLowerCase());
}

function exactly(pattern: string): Matcher {
  return (value, url) => {
    if (url === null) return false;
    const isWeb = url.protocol === "https:" || url.protocol === "http:";
    return isWeb ? url.origin === pattern : beginsWith(value, pattern);
  };
}

/** `exp://host` must not also trust `exp://host.evil` or `exp://host@evil`. */
function beginsWith(value: string, pattern: string): boolean {
  if (!value.startsWith(pattern)) return false;
  return /[:/]$/.test(pattern) || /^(?:[/?#]|$)/.test(value.slice(pattern.length));
}

function schemeAndHost(pattern: string): Matcher {
  const [scheme = "", rest = ""] = pattern.toLowerCase().split("://", 2);
  const [host = ""] = rest.split("/", 1);
  if (!anyPath.test(rest.slice(host.length))) return () => false;
  return (_value, url) =>
    url !== null &&
    wildcardMatch(scheme, url.protocol.slice(0, -1)) &&
    wildcardMatch(host, url.host.toLowerCase());
}

function hostOnly(pattern: string): Matcher {
  return (value, url) => {
    if (url !== null) return url.host !== "" && wildcardMatch(pattern, url.host.toLowerCase());
    return !startsWithScheme.test(value) && wildcardMatch(pattern, value.toLowerCase());
  };
}
