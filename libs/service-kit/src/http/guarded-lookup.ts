import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { OutboundError } from "./outbound-error.ts";
import { isPrivateAddress } from "./private-address.ts";

/**
 * Resolves a name for a new connection, and fails if any of the addresses is private. A separate look-up before the connection
 * would be open to DNS rebinding.
 */
export const guardLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      // With `all`, the result is a list.
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
        return callback(new OutboundError("not allowed", hostname, "a private address"), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
