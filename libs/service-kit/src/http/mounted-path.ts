import type { Operation } from "@latchkey/contracts";

/** Where a service answers an operation, with `{name}` for what a path holds. */
export const mountedPath = ({ exposure, path }: Pick<Operation, "exposure" | "path">): string =>
  exposure === "internal" ? `/internal${path}` : path;
