import ipaddr from "ipaddr.js";

/** All that IPv6 gives out to the internet at large; what lies outside has or may get a meaning of its own. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** Reaches IPv4 from networks that have only IPv6, RFC 6052. The other prefixes of translators are for private use. */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const embeddedAt = 12;

/**
 * Whether an IP address is not one of a server on the internet: loopback, private, link-local, multicast, reserved, whatever else has
 * a special meaning, and what is no address. One that embeds an IPv4 address stands for that one where traffic goes there by itself;
 * tunnels are refused.
 */
export const isPrivateAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return true;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.range() !== "unicast";
  if (parsed.match(translated))
    return isPrivateAddress(parsed.toByteArray().slice(embeddedAt).join("."));
  return !parsed.match(globalUnicast) || parsed.range() !== "unicast";
};
