import { WireError } from "@latchkey/contracts";

/** Throws `VALIDATION_ERROR`, which names the member of a query and what is wrong with it. */
export const refuseQuery = (path: string, message: string): never => {
  throw new WireError("VALIDATION_ERROR", {
    message: "Invalid query parameters",
    issues: [{ path, message }],
  });
};
