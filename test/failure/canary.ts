import { randomBytes } from "node:crypto";

/** A text that is in an output only if it was let out there. */
export const canary = (where: string): string =>
  `canary-${where}-${randomBytes(12).toString("hex")}`;
