import type { Settings } from "@latchkey/service-kit";
import { readGatewayConfig } from "./config.ts";
import { webPath } from "./web/web-path.ts";
import { type Web, webs } from "./web/webs.ts";

// Used by commands, beside the running service or without it.

/** Returns the path of a web from the origin. Returns undefined if it is off or cannot be served. */
export const findWeb = (name: Web["name"], settings: Settings): string | undefined => {
  const config = readGatewayConfig(settings);
  const web = webs.find((known) => known.name === name);
  const place = web && webPath(web, config);
  return place && "path" in place ? place.path : undefined;
};
