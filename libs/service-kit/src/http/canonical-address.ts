import { isIPv4, isIPv6, SocketAddress } from "node:net";

const mappedIPv4 = /^::ffff:([\d.]+)$/i;

/**
 * Returns the canonical text of an address, or undefined for anything else: dotted IPv4, or IPv6 in the form of RFC 5952, without zone.
 * IPv4-mapped IPv6 (`::ffff:1.2.3.4`) becomes IPv4, so that a client has the same text on a dual-stack socket.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const mapped = mappedIPv4.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  return mappedIPv4.exec(address)?.[1] ?? address;
}
