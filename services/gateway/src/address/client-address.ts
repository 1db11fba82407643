import { canonicalAddress } from "@latchkey/service-kit/http";

/** The trusted sources of the client's address. */
export interface ClientAddressOptions {
  /** Whether an address belongs to a proxy in front of us. Undefined if there is none. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
  /** Headers that those proxies set, in order of preference. The first one present is used. */
  readonly headers?: readonly string[];
}

/** Takes the socket's peer and a reader of request headers. Returns undefined if the peer has no address. */
export type ClientAddressReader = (
  socketAddress: string | undefined,
  header: (name: string) => string | undefined,
) => string | undefined;

const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Creates a reader of the client's canonical address.
 *
 * Any client can send the header, so it counts only if the peer is a trusted proxy. It is read from the right: each trusted hop vouches for
 * the one to its left, and the first untrusted one is the client. Entries further left are only claims of the client. An unreadable hop
 * ends the walk at the last address that was vouched for.
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
