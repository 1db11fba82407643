import { WireError } from "@latchkey/contracts";

/** Throws `VALIDATION_ERROR` that names the query parameter and the problem. */
export const refuseQuery = (path: string, message: string): never => {
  throw new WireError("VALIDATION_ERROR", {
    message: "Invalid query parameters",
    issues: [{ path, message }],
  });
};
