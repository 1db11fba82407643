import { type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";

const isLoopback = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Where clients reach the gateway. */
export const checkBaseUrl = ({ settings, production, leftOut }: Examined): Finding => {
  const { baseURL, trustedHosts } = settings.options;
  if (leftOut.has("baseURL"))
    return warn("base URL", "cannot be used", "mend baseURL (BASE_URL), as said above");
  if (!baseURL)
    return ok(
      "base URL",
      trustedHosts.length > 0
        ? `that of each request, for the hosts ${trustedHosts.join(", ")}`
        : "that of each request; set BASE_URL in production",
    );
  const { protocol, hostname } = new URL(baseURL);
  return production && protocol === "http:" && !isLoopback(hostname)
    ? warn(
        "base URL",
        `${baseURL} is not https, so cookies and links travel in clear`,
        "put a server with TLS in front and set BASE_URL to its https address",
      )
    : ok("base URL", baseURL);
};

/** What is odd about a trusted origin; undefined for one that is as it should be. */
export const explainOrigin = (pattern: string, production: boolean): string | undefined => {
  if (pattern === "*") return "trusts every page there is";
  if (!pattern.includes("://"))
    return pattern.includes("*") ? undefined : "has no scheme, so no page of the web is meant";
  const [scheme = "", rest = ""] = pattern.split("://", 2);
  if (pattern.includes("*"))
    return /^[^/]*(\/?\**)$/.test(rest) ? undefined : "has a path, so it means no page at all";
  if (scheme !== "http" && scheme !== "https") return undefined;
  const url = URL.parse(pattern);
  if (url?.origin !== pattern)
    return `means no page: an origin has no path, as ${url?.origin ?? "https://app.example.com"}`;
  return production && scheme === "http" && !isLoopback(url.hostname)
    ? "is not https, so anybody on the way can speak for it"
    : undefined;
};

/** The origins that may call. */
export const checkOrigins = ({ settings, production, leftOut }: Examined): Finding[] => {
  const { trustedOrigins } = settings.options;
  if (leftOut.has("trustedOrigins")) return []; // said among the problems
  if (typeof trustedOrigins === "function")
    return [ok("trusted origins", "given by a function of the configuration, not checked")];
  const odd = trustedOrigins.flatMap((pattern) => {
    const reason = explainOrigin(pattern, production);
    return reason
      ? [
          warn(
            "trusted origins",
            `${pattern} ${reason}`,
            "mend it in trustedOrigins (TRUSTED_ORIGINS)",
          ),
        ]
      : [];
  });
  if (odd.length > 0) return odd;
  return [ok("trusted origins", trustedOrigins.join(", ") || "none but that of the base URL")];
};
