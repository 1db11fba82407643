import type { Operation } from "@latchkey/contracts";

/** Returns the path at which a service serves an operation, with `{name}` for path parameters. */
export const mountedPath = ({ exposure, path }: Pick<Operation, "exposure" | "path">): string =>
  exposure === "internal" ? `/internal${path}` : path;
