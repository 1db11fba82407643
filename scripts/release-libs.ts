import { resolve } from "node:path";
import { packLibrary, publishedLibraries } from "./pack-library.ts";

// npm run release:libs [-- <folder>]: packs the libraries for applications to install, by default into dist/.

for (const name of publishedLibraries) {
  const path = await packLibrary(name, resolve(process.argv[2] ?? "dist"));
  if (path === undefined) process.exitCode = 1;
  else process.stdout.write(`npm install ${path}\n`);
}
