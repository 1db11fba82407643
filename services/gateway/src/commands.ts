import type { Settings } from "@latchkey/service-kit";
import { adminWebPath } from "./admin-web/admin-web-path.ts";
import { readGatewayConfig } from "./config.ts";

// What is asked beside the running service or without it.

/** Where the admin web is served, as a path from the origin; undefined where it is off or hindered. */
export const findAdminWeb = (settings: Settings): string | undefined => {
  const place = adminWebPath(readGatewayConfig(settings));
  return place && "path" in place ? place.path : undefined;
};
