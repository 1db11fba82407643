import type { Settings } from "@latchkey/service-kit";
import { adminWebPath } from "./admin-web/admin-web-path.ts";
import { readGatewayConfig } from "./config.ts";

// Used by commands, beside the running service or without it.

/** Returns the path of the admin web from the origin. Returns undefined if it is off or cannot be served. */
export const findAdminWeb = (settings: Settings): string | undefined => {
  const place = adminWebPath(readGatewayConfig(settings));
  return place && "path" in place ? place.path : undefined;
};
