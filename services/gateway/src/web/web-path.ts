import { allOperations, type Operation } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit/config";
import type { GatewayConfig } from "../config.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { isOffered } from "../paths/match-operation.ts";
import type { Web } from "./webs.ts";

type Config = Pick<GatewayConfig, "accountWeb" | "admin" | "baseURL" | "basePath" | "features">;

const isBelow = (path: string, place: string): boolean => stripBasePath(path, place) !== undefined;

/** The path of a web from the origin, or the reason why it is not served although it is on. */
export type WebPath = { path: string } | { hindrance: string } | undefined;

/**
 * Returns where a web is served, or undefined if it is off. It is not served if it would hide operations, whose paths depend on the base
 * path.
 */
export const webPath = (web: Web, config: Config): WebPath => {
  const path = web.pathOf(config)?.replace(/\/$/, "");
  if (path === undefined) return undefined;
  const basePath = basePathOf(config);
  const isInTheWay = (declared: Operation): boolean =>
    isOffered(config.features, declared) && isBelow(`${basePath}${declared.path}`, path);
  return allOperations.some(isInTheWay)
    ? { hindrance: `operations are served below ${path}: ${web.remedy}` }
    : { path };
};
