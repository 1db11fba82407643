import { randomBytes } from "node:crypto";

/** Returns a text that appears in an output only if it leaked there. */
export const canary = (where: string): string =>
  `canary-${where}-${randomBytes(12).toString("hex")}`;
