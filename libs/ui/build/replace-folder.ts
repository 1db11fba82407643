import { rename, rm } from "node:fs/promises";

/** How often concurrent replacements may come first. */
const triesMax = 100;

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Renames a folder. Returns false on an error with one of the given codes. */
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
 * Replaces a folder with another. The folder is missing only between two renames. Concurrent replacements all succeed, and the last one
 * stays.
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
