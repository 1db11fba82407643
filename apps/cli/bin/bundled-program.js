import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

// A program starts faster from one bundle, because Node does not find, read and link two thousand modules.

/** Programs that run long: `npm start`, and each service. */
const isBundled = (program) =>
  program === "apps/all-in-one/src/start.ts" || /^services\/[a-z]+\/src\/main\.ts$/.test(program);

const builder = "apps/all-in-one/src/bundle/build-programs.ts";

/** Within the installation, so that no other user of the machine can write code into it. */
const folderOf = (root) => join(root, "node_modules", ".cache", "programs");

/** Describes the bundle: the installation that it was built in, its programs, and the state of all files that it was built from. */
const manifestOf = (root) => join(folderOf(root), "programs.json");

/** No program can set the time of the last change of an inode, so every write shows. */
const isUnchanged = (root, [path, size, changedAt]) => {
  const found = statSync(join(root, path));
  return found.size === size && found.ctimeMs === changedAt;
};

/** Returns the path of a bundled program, or undefined if there is no bundle of the current sources. */
const findProgram = (root, program) => {
  try {
    const manifest = JSON.parse(readFileSync(manifestOf(root), "utf8"));
    const bundled = join(folderOf(root), manifest.programs[program]);
    const isCurrent =
      manifest.root === root && // a moved installation has a bundle with the paths of its old place
      manifest.sources.every((source) => isUnchanged(root, source));
    return isCurrent && existsSync(bundled) ? bundled : undefined;
  } catch {
    return undefined; // there is no manifest, or a source has been removed
  }
};

/** Returns whether a bundle can be built: another user may own the installation, and the bundler may be left out of it. */
const canBuild = (root) => {
  try {
    mkdirSync(folderOf(root), { recursive: true });
    accessSync(folderOf(root), constants.W_OK);
    return existsSync(join(root, "node_modules", "rolldown"));
  } catch {
    return false;
  }
};

const buildBundle = (root) => {
  if (!canBuild(root)) return;
  // If it fails, the program runs from its source.
  spawnSync(process.execPath, [join(root, builder)], { stdio: "ignore" });
};

/** Returns the path of a program in the current bundle, which is built if necessary. Undefined means to run the source. */
export const bundledProgram = (root, program) => {
  if (!isBundled(program)) return undefined;
  const found = findProgram(root, program);
  if (found !== undefined) return found;
  buildBundle(root);
  return findProgram(root, program);
};
