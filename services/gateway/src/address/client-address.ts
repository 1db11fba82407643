import { canonicalAddress } from "./canonical-address.ts";

/** Where the client's address may be learnt from. */
export interface ClientAddressOptions {
  /** Whether an address is that of a proxy in front of us; undefined when there is none. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
  /** Headers that those proxies set, in order of preference; the first one present counts. */
  readonly headers?: readonly string[];
}

/** Takes the socket's peer and a reader of request headers; undefined when the peer has no address. */
export type ClientAddressReader = (
  socketAddress: string | undefined,
  header: (name: string) => string | undefined,
) => string | undefined;

const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * A reader of the client's canonical address.
 *
 * Anybody can send the header, so it counts only when the peer is a trusted proxy, and then from the right: each
 * trusted hop vouches for the one to its left, and the first untrusted one is the client. What stands further left is
 * the client's own claim. An unreadable hop ends the walk at the last address that was vouched for.
 */
export function createClientAddressReader(options: ClientAddressOptions): ClientAddressReader {
  const { isTrustedProxy: isTrusted, headers = ["x-forwarded-for"] } = options;
  if (!isTrusted) return (socketAddress) => canonicalAddress(socketAddress ?? "");
  return (socketAddress, header) => {
    const peer = canonicalAddress(socketAddress ?? "");
    if (peer === undefined || !isTrusted(peer)) return peer;
    const forwarded = firstPresent(headers, header);
    return forwarded === undefined ? peer : lastUntrustedHop(forwarded, peer, isTrusted);
  };
}

function firstPresent(
  names: readonly string[],
  header: (name: string) => string | undefined,
): string | undefined {
  for (const name of names) {
    const value = header(name);
    if (value !== undefined && value.trim() !== "") return value;
  }
  return undefined;
}

function lastUntrustedHop(
  forwarded: string,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  let vouchedFor = peer;
  for (const hop of forwarded.split(",").reverse()) {
    const address = hopAddress(hop.trim());
    if (address === undefined) return vouchedFor;
    if (!isTrusted(address)) return address;
    vouchedFor = address;
  }
  return vouchedFor;
}

/** Some proxies add the client's port or write IPv6 in brackets. */
function hopAddress(hop: string): string | undefined {
  const parts = withPort.exec(hop);
  return canonicalAddress(parts?.[1] ?? parts?.[2] ?? hop);
}
