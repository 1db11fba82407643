import { allOperations, type Operation } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";

/** Finds a public operation by method and canonical path below the base path. `HEAD` finds those of `GET`. */
export type OperationMatcher = (method: string, path: string) => Operation | undefined;

const isParameter = (segment: string) => segment.startsWith("{");

/** Returns whether a path has the segments of an operation's path. `{name}` matches any text. */
const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, index) =>
    isParameter(segment) ? path[index] !== "" : segment === path[index],
  );

/** Leaves out the operations of features that are off. */
export const isOffered = (
  features: GatewayConfig["features"],
  { exposure, feature }: Operation,
): boolean => exposure === "public" && (feature === undefined || features[feature]);

export const createOperationMatcher = (features: GatewayConfig["features"]): OperationMatcher => {
  const offered = allOperations.filter((declared) => isOffered(features, declared));
  const isPattern = ({ path }: Operation) => path.includes("{");
  /** By method, then by path. A key of both would be a new text for each request. */
  const exact = new Map<string, Map<string, Operation>>();
  for (const declared of offered.filter((one) => !isPattern(one))) {
    const { method, path } = declared;
    exact.set(method, (exact.get(method) ?? new Map<string, Operation>()).set(path, declared));
  }
  const patterns = offered
    .filter(isPattern)
    .map((declared) => ({ declared, segments: declared.path.split("/") }));
  return (requested, path) => {
    const method = requested === "HEAD" ? "GET" : requested;
    const operation = exact.get(method)?.get(path);
    if (operation) return operation;
    const segments = path.split("/");
    return patterns.find(
      ({ declared, segments: pattern }) => declared.method === method && fits(pattern, segments),
    )?.declared;
  };
};
