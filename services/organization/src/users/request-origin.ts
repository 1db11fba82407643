import type { Caller, RequestOrigin } from "@latchkey/contracts";

/** Where a request came from, as functions of the options are told it. */
export const requestOrigin = ({ baseUrl, address, userAgent }: Caller): RequestOrigin => ({
  baseURL: baseUrl,
  address,
  userAgent,
});
