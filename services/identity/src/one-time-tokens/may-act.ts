import type { Caller } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";

/**
 * Returns whether a GET of a mailed link acts. Mail scanners follow links too, so by default it acts only in the browser
 * that requested the link. A call by the application's own code is not a followed link.
 */
export const mayAct = (
  { inertLinks }: Pick<IdentityConfig, "inertLinks">,
  { opening }: Caller,
  isAsker: boolean,
): boolean =>
  inertLinks === "off" ||
  opening === "call" ||
  (inertLinks === "elsewhere" && isAsker && opening !== "prefetch");
