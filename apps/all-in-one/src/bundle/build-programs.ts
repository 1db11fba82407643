import { join } from "node:path";
import { buildBundle } from "./build-bundle.ts";

// The launcher of `npm start` and of single services calls this if the sources have changed.

await buildBundle(join(import.meta.dirname, "..", "..", "..", ".."));
