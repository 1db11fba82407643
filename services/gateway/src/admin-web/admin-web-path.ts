import { allOperations, type Operation } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { isOffered } from "../pipeline/match-operation.ts";

type Config = Pick<GatewayConfig, "admin" | "baseURL" | "basePath" | "features">;

const isBelow = (path: string, place: string): boolean => stripBasePath(path, place) !== undefined;

/** Where the web is served: a path from the origin, or why it is not served although it is on. */
export type AdminWebPath = { path: string } | { hindrance: string } | undefined;

/**
 * Where the admin web is served; undefined where it is off. It is hindered where it would stand before operations, which live
 * wherever the base path says.
 */
export const adminWebPath = (config: Config): AdminWebPath => {
  const { enabled, web, path: configured } = config.admin;
  if (!enabled || !web) return undefined;
  const path = configured.replace(/\/$/, "");
  const basePath = basePathOf(config);
  const isInTheWay = (declared: Operation): boolean =>
    isOffered(config.features, declared) && isBelow(`${basePath}${declared.path}`, path);
  return allOperations.some(isInTheWay)
    ? {
        hindrance: `operations live below ${path}: set admin.path to another path, or admin.web to false`,
      }
    : { path };
};
