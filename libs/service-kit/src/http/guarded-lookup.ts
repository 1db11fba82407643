import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { OutboundError } from "./outbound-error.ts";
import { isPrivateAddress } from "./private-address.ts";

/**
 * Resolves a name for the connection that is about to be made, and gives it nothing if any of the addresses is private. A check
 * before that, on a look-up of its own, would be undone by a name that resolves to something else the next time.
 */
export const guardLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      // With `all` it is a list.
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
        return callback(new OutboundError("not allowed", hostname, "a private address"), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
