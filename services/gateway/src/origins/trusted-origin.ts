import { wildcardMatch } from "../paths/wildcard-match.ts";

type Matcher = (value: string, url: URL | null) => boolean;

export interface TrustedOriginOptions {
  /** Whether a pattern without a scheme also means `http`. Only outside production. */
  readonly allowsHttp?: boolean;
}

/** Distinguishes the scheme in `myapp:` or `https://host` from the host in `localhost:3000` or `localhost:*`. */
const schemeOf = /^([^:/[]+):(?![\d*?]+$)/;
const anyPath = /^\/?\**$/;

/**
 * Compiles one test for the whole list of trusted origins. Kinds of patterns:
 *
 * - `app.example.com`, `*.my.com`, `localhost:*`: the host and port of an https value, or of an http one with `allowsHttp`.
 * - `https://app.example.com`: equal to the origin of the value.
 * - `myapp://`: a prefix of the value, followed by a boundary.
 * - `https://*.my.com`, `myapp://*`: both scheme and host. Stars in the scheme match the schemes that a pattern without a scheme
 *   means. A path in such a pattern may consist only of stars. Any other path makes it match nothing, so that a pattern never trusts
 *   more than it says.
 *
 * Only a scheme without wildcards can trust anything other than http and https, so no pattern allows `intent:` or an invented scheme by
 * accident. Does not check userinfo, odd spellings or script schemes: redirects are checked by `isAllowedRedirect`.
 *
 * @throws Error if a pattern is empty
 */
export function compileTrustedOrigins(
  patterns: readonly string[],
  { allowsHttp = false }: TrustedOriginOptions = {},
): (value: string) => boolean {
  const webProtocols = new Set(allowsHttp ? ["https:", "http:"] : ["https:"]);
  const matchers = patterns.map((pattern) => compilePattern(pattern, webProtocols));
  return (value) => {
    const url = URL.parse(value);
    return matchers.some((matches) => matches(value, url));
  };
}

function compilePattern(pattern: string, webProtocols: ReadonlySet<string>): Matcher {
  if (typeof pattern !== "string" || pattern.trim() === "") {
    throw new Error(
      "A provided trusted origin is invalid, make sure your trusted origins list is properly defined.",
    );
  }
  const scheme = schemeOf.exec(pattern)?.[1]?.toLowerCase();
  if (scheme === undefined) return hostOnly(pattern.toLowerCase(), webProtocols);
  if (!pattern.includes("*")) return exactly(pattern);
  return schemeAndHost(pattern.toLowerCase(), scheme, webProtocols);
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

function schemeAndHost(
  pattern: string,
  scheme: string,
  webProtocols: ReadonlySet<string>,
): Matcher {
  const rest = pattern.slice(scheme.length + 1);
  if (!rest.startsWith("//")) return () => false;
  const [host = ""] = rest.slice(2).split("/", 1);
  if (!anyPath.test(rest.slice(2 + host.length))) return () => false;
  const isNamedWhole = !/[*?]/.test(scheme);
  const fitsScheme = (protocol: string) =>
    isNamedWhole
      ? protocol === `${scheme}:`
      : webProtocols.has(protocol) && wildcardMatch(scheme, protocol.slice(0, -1));
  return (_value, url) =>
    url !== null && fitsScheme(url.protocol) && wildcardMatch(host, url.host.toLowerCase());
}

function hostOnly(pattern: string, webProtocols: ReadonlySet<string>): Matcher {
  const fits = pattern.includes("*")
    ? (host: string) => wildcardMatch(pattern, host)
    : (host: string) => host === pattern;
  return (_value, url) =>
    url !== null && webProtocols.has(url.protocol) && fits(url.host.toLowerCase());
}
