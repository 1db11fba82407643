import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const packed = new Set([".css", ".js", ".json", ".svg"]);
/** Compressing smaller files is not worthwhile. */
const bytesMin = 512;

const packers = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Writes compressed copies beside the text files of a folder, so that no request has to compress them. */
export const packFiles = async (directory: string): Promise<void> => {
  const names = await readdir(directory, { recursive: true });
  await Promise.all(
    names
      .filter((name) => packed.has(extname(name)))
      .map(async (name) => {
        const path = join(directory, name);
        const bytes = await readFile(path);
        if (bytes.length < bytesMin) return;
        for (const [ending, pack] of Object.entries(packers))
          await writeFile(`${path}.${ending}`, await pack(bytes));
      }),
  );
};
