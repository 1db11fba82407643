import { WireError } from "@latchkey/contracts";

/** Returns the sequence of a cursor, or 0 without one. Throws `VALIDATION_ERROR`. */
export const readCursor = (text: string | undefined): number => {
  if (text === undefined || text === "") return 0;
  const sequence = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(sequence)) return sequence;
  throw new WireError("VALIDATION_ERROR", {
    issues: [{ path: "after", message: "must be a cursor of an earlier reply" }],
  });
};
