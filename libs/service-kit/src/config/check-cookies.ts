import { isIP } from "node:net";
import type { Options } from "@latchkey/contracts";

/** Names for which browsers themselves enforce attributes (RFC 6265bis, 4.1.3). Browsers compare them without case. */
export const browserPrefix = /^__(?:secure|host)-/i;
const hostPrefix = /^__host-/i;
const domainPattern = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/i;

type CheckedOptions = Pick<Options, "advanced" | "baseURL" | "trustedHosts">;

/** Browsers accept secure cookies of these hosts without https. */
const isLoopback = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const hostsOf = ({ baseURL, trustedHosts }: CheckedOptions): string[] =>
  baseURL === undefined
    ? trustedHosts.map((host) => host.replace(/:\d+$/, "").toLowerCase())
    : [new URL(baseURL).hostname];

/** Returns why browsers refuse a cookie of this domain from one of our hosts. */
const domainProblem = (domain: string, hosts: readonly string[]): string | undefined => {
  const bare = domain.toLowerCase().replace(/^\./, "");
  if (hosts.length > 0 && hosts.every((host) => host === bare)) return undefined;
  if (!domainPattern.test(bare)) return "must be a host name, without scheme, port and path";
  if (isIP(bare) !== 0) return "must not be an address, which has no subdomains";
  if (!bare.includes(".")) return "must have at least two labels, because browsers refuse others";
  const foreign = hosts.find((host) => host !== bare && !host.endsWith(`.${bare}`));
  return foreign === undefined
    ? undefined
    : `must be ${foreign} or a parent of it, because browsers refuse a cookie of any other domain`;
};

const checkDomains = (options: CheckedOptions): string[] => {
  const { crossSubDomainCookies, defaultCookieAttributes, cookies } = options.advanced;
  const domains: [string, string | undefined][] = [
    ["crossSubDomainCookies.domain", crossSubDomainCookies.domain],
    ["defaultCookieAttributes.domain", defaultCookieAttributes.domain],
    ...Object.entries(cookies).map(([name, own]): [string, string | undefined] => [
      `cookies.${name}.attributes.domain`,
      own?.attributes.domain,
    ]),
  ];
  const hosts = hostsOf(options);
  return domains.flatMap(([path, domain]) => {
    const problem = domain === undefined ? undefined : domainProblem(domain, hosts);
    return problem === undefined ? [] : [`advanced.${path}: ${problem}`];
  });
};

/** A name with a prefix that the browser enforces needs the attributes that it enforces. */
const checkNames = (
  { cookiePrefix, cookies, crossSubDomainCookies, defaultCookieAttributes }: Options["advanced"],
  isSecure: boolean,
): string[] => {
  const names: [string, string, (typeof defaultCookieAttributes)[]][] = [
    ["cookiePrefix", cookiePrefix, Object.values(cookies).map((own) => own?.attributes ?? {})],
    ...Object.entries(cookies).map(
      ([name, own]): [string, string, (typeof defaultCookieAttributes)[]] => [
        `cookies.${name}.name`,
        own?.name ?? "",
        [own?.attributes ?? {}],
      ],
    ),
  ];
  return names.flatMap(([path, name, attributes]) => {
    if (!browserPrefix.test(name)) return [];
    if (!isSecure)
      return [`advanced.${path}: ${name} needs https: set baseURL, or advanced.useSecureCookies`];
    const all = [defaultCookieAttributes, ...attributes];
    const isWide =
      crossSubDomainCookies.enabled ||
      all.some(({ domain, path: below = "/" }) => domain !== undefined || below !== "/");
    return hostPrefix.test(name) && isWide
      ? [
          `advanced.${path}: __Host- allows no domain, no crossSubDomainCookies, and only the path /`,
        ]
      : [];
  });
};

/** Checks that browsers accept the configured cookies. Otherwise nobody could sign in. */
export const checkCookies = (options: CheckedOptions): string[] => {
  const { baseURL, advanced } = options;
  const { cookies, crossSubDomainCookies, defaultCookieAttributes, useSecureCookies } = advanced;
  const problems: string[] = [];
  if (crossSubDomainCookies.enabled && !crossSubDomainCookies.domain && !baseURL)
    problems.push(
      "advanced.crossSubDomainCookies: baseURL is required when crossSubdomainCookies are enabled",
    );
  const isSecure = useSecureCookies ?? baseURL?.startsWith("https://") ?? false;
  const attributes = [
    defaultCookieAttributes,
    ...Object.values(cookies).map((own) => own?.attributes),
  ];
  if (!isSecure && attributes.some((own) => own?.sameSite === "none"))
    problems.push("advanced.useSecureCookies: sameSite none needs secure cookies");
  const { protocol, hostname } = new URL(baseURL ?? "https://localhost");
  if (useSecureCookies && protocol === "http:" && !isLoopback(hostname))
    problems.push("advanced.useSecureCookies: browsers refuse secure cookies of an http baseURL");
  return [...problems, ...checkDomains(options), ...checkNames(advanced, isSecure)];
};
