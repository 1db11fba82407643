import { isIP, isIPv6 } from "node:net";
import { OutboundError } from "./outbound-error.ts";
import { isPrivateAddress } from "./private-address.ts";

/** Returns the host for a socket: an IPv6 address without brackets. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Normalizes hosts as URLs do, so that addresses and international names match in any spelling. */
export const readPrivateHosts = (hosts: readonly string[]): ReadonlySet<string> =>
  new Set(hosts.map((host) => hostnameOf(new URL(`http://${isIPv6(host) ? `[${host}]` : host}`))));

const parse = (address: string | URL): URL => {
  const url = URL.parse(String(address));
  if (!url) throw new OutboundError("not allowed", "a call", "no URL");
  return url;
};

/** Returns the reason why the URL is not allowed, as far as it is known without a look-up. */
const objectionTo = (url: URL, privateHosts: ReadonlySet<string>): string | undefined => {
  if (url.username || url.password) return "credentials in the URL";
  const hostname = hostnameOf(url);
  const isPrivateHost = privateHosts.has(hostname);
  if (url.protocol !== "https:" && !(isPrivateHost && url.protocol === "http:"))
    return "not by https";
  // A connection to a literal address needs no look-up, so the look-up guard would not see it.
  if (!isPrivateHost && isIP(hostname) !== 0 && isPrivateAddress(hostname))
    return "a private address";
  return undefined;
};

/** Returns a copy of an allowed URL. Throws an `OutboundError` for any other. */
export const readTarget = (address: string | URL, privateHosts: ReadonlySet<string>): URL => {
  const url = parse(address);
  const objection = objectionTo(url, privateHosts);
  if (objection) throw new OutboundError("not allowed", url.origin, objection);
  return url;
};
