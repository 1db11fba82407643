import { webConfig } from "@latchkey/ui/web-config";
import { defineConfig } from "vite";

const languageOf = (moduleId: string): string | null =>
  /src\/languages\/([\w-]+)\/(?:common|[\w-]+)\.ts$/.exec(moduleId)?.[1] ?? null;

/** Few files of some size: on a slow network each request costs more than a few kilobytes that a screen does not need. */
export default defineConfig(
  webConfig({
    web: "account",
    root: import.meta.dirname,
    chunkGroups: [
      // Each language is one file, which only its readers load.
      {
        name: (moduleId) => languageOf(moduleId),
        debugName: "languages",
        test: /src\/languages\/[\w-]+\//,
        priority: 4,
      },
      {
        name: "forms",
        test: /react-hook-form|src\/components\/fields/,
        minShareCount: 2,
        priority: 3,
      },
    ],
  }),
);
