import { BlockList, type Socket } from "node:net";

import { canonicalAddress } from "@latchkey/service-kit/http";

/**
 * Compiles a test for addresses (in canonical form) of trusted proxies. Returns undefined for an empty list. Entries are addresses and
 * CIDR ranges, IPv4 and IPv6.
 *
 * @throws TypeError if an entry is neither
 */
export function compileTrustedProxies(
  entries: readonly string[],
): ((address: string) => boolean) | undefined {
  if (entries.length === 0) return undefined;
  const proxies = new BlockList();
  for (const entry of entries) addProxy(proxies, entry);
  return (address) => proxies.check(address, familyOf(address));
}

/** Returns whether the other end of a connection is a trusted proxy, whose forwarding headers are trusted. */
export function isProxyPeer(
  isTrustedProxy: ReturnType<typeof compileTrustedProxies>,
  { remoteAddress }: Pick<Socket, "remoteAddress">,
): boolean {
  return isTrustedProxy?.(canonicalAddress(remoteAddress ?? "") ?? "") ?? false;
}

function addProxy(proxies: BlockList, entry: string): void {
  const [text = "", length, ...surplus] = entry.trim().split("/");
  const address = canonicalAddress(text);
  if (address === undefined || surplus.length > 0) throw unreadable(entry);
  const family = familyOf(address);
  const bitsMax = family === "ipv4" ? 32 : 128;
  if (length === undefined) return proxies.addAddress(address, family);
  const isMapped = family === "ipv4" && text.includes(":");
  const bits = Number(length) - (isMapped ? 96 : 0);
  if (!/^\d{1,3}$/.test(length) || bits < 0 || bits > bitsMax) throw unreadable(entry);
  proxies.addSubnet(address, bits, family);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

function unreadable(entry: string): TypeError {
  return new TypeError(`Trusted proxy "${entry}" is neither an address nor a CIDR range.`);
}
