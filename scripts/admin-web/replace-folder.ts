import { rename, rm } from "node:fs/promises";

/** How often others may be quicker. */
const triesMax = 100;

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Moves a folder; false where it or its new place is not as needed, by one of some codes. */
const move = async (from: string, to: string, codes: readonly string[]): Promise<boolean> => {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codes.includes(String(codeOf(error)))) return false;
    throw error;
  }
};

/**
 * Puts a folder in the place of another, which is gone for no longer than between two renames. Of several who do so at once
 * each succeeds, and the last one's stays.
 */
export const replaceFolder = async (made: string, place: string): Promise<void> => {
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const old = `${made}-${tries}`;
    const hasOld = await move(place, old, ["ENOENT"]);
    try {
      if (await move(made, place, ["ENOTEMPTY", "EEXIST"])) return;
    } catch (error) {
      if (hasOld) await move(old, place, ["ENOTEMPTY", "EEXIST"]);
      throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
  throw new Error(`${place} is being replaced again and again`);
};
