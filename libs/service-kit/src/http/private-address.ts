import ipaddr from "ipaddr.js";

/** The range of public IPv6 addresses. Addresses outside have, or may get, a special meaning. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** Prefix that reaches IPv4 from IPv6-only networks (RFC 6052). Other translation prefixes are for private use. */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const embeddedAt = 12;

/**
 * Returns whether an IP address is not public: loopback, private, link-local, multicast, reserved, special in any other way, or
 * not an address. An IPv6 address that embeds an IPv4 address is judged by it if traffic is translated by standard. Tunnels are
 * rejected.
 */
export const isPrivateAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.range() !== "unicast";
  if (parsed.match(translated))
    return isPrivateAddress(parsed.toByteArray().slice(embeddedAt).join("."));
  return !parsed.match(globalUnicast) || parsed.range() !== "unicast";
};
