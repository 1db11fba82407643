import type { Caller, RequestOrigin } from "@latchkey/contracts";

/** Returns the origin of a request for functions of the options. */
export const requestOrigin = ({ baseUrl, address, userAgent }: Caller): RequestOrigin => ({
  baseURL: baseUrl,
  address,
  userAgent,
});
