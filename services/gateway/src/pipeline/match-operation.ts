import { allOperations, type Operation } from "@latchkey/contracts";

/** Finds a public operation by method and canonical path below the base path. */
export type OperationMatcher = (method: string, path: string) => Operation | undefined;

export const createOperationMatcher = (): OperationMatcher => {
  const byPath = new Map<string, Operation>(
    allOperations
      .filter((declared) => declared.exposure === "public")
      .map((declared) => [`${declared.method} ${declared.path}`, declared] as const),
  );
  return (method, path) => byPath.get(`${method} ${path}`);
};
