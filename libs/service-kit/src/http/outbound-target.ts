import { isIP, isIPv6 } from "node:net";
import { OutboundError } from "./outbound-error.ts";
import { isPrivateAddress } from "./private-address.ts";

/** As a socket takes it: an IPv6 address without its brackets. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** The hosts in the one form that URLs have, so that an address or an international name matches however it is written. */
export const readPrivateHosts = (hosts: readonly string[]): ReadonlySet<string> =>
  new Set(hosts.map((host) => hostnameOf(new URL(`http://${isIPv6(host) ? `[${host}]` : host}`))));

const parse = (address: string | URL): URL => {
  const url = URL.parse(String(address));
  if (!url) throw new OutboundError("not allowed", "a call", "no URL");
  return url;
};

/** Why the URL may not be called, as far as it can be told without a look-up. */
const objectionTo = (url: URL, privateHosts: ReadonlySet<string>): string | undefined => {
  if (url.username || url.password) return "credentials in the URL";
  const hostname = hostnameOf(url);
  const isPrivateHost = privateHosts.has(hostname);
  if (url.protocol !== "https:" && !(isPrivateHost && url.protocol === "http:"))
    return "not by https";
  // A connection to a literal address asks for no look-up.
  if (!isPrivateHost && isIP(hostname) !== 0 && isPrivateAddress(hostname))
    return "a private address";
  return undefined;
};

/** The URL that may be called, a copy of its own. Throws an `OutboundError` for any other. */
export const readTarget = (address: string | URL, privateHosts: ReadonlySet<string>): URL => {
  const url = parse(address);
  const objection = objectionTo(url, privateHosts);
  if (objection) throw new OutboundError("not allowed", url.origin, objection);
  return url;
};
