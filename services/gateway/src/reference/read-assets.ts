import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** A file that the reference page loads. */
export interface Asset {
  name: string;
  contentType: string;
  bytes: Buffer;
  /** Changes with the bytes. */
  etag: string;
}

const script = "text/javascript; charset=utf-8";

const files = [
  [
    "swagger-ui.css",
    import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
    "text/css; charset=utf-8",
  ],
  ["swagger-ui-bundle.js", import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"), script],
  ["start.js", import.meta.resolve("./start.js"), script],
] as const;

/** Reads all files of the reference page. Nothing else is served below its path. */
export const readAssets = (): Promise<Asset[]> =>
  Promise.all(
    files.map(async ([name, url, contentType]) => {
      const bytes = await readFile(new URL(url));
      const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
      return { name, contentType, bytes, etag };
    }),
  );
