import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

// A program starts faster from one bundle, because Node does not find, read and link two thousand modules.

/** The builder of each bundled program. */
const builders = {
  "apps/all-in-one/src/start.ts": "apps/all-in-one/src/bundle/build-start.ts",
};

/** Within the installation, so that no other user of the machine can write code into it. */
const folderOf = (root) => join(root, "node_modules", ".cache", "programs");

/** Describes a bundle: its entry, and the state of all files that it was built from. */
const manifestOf = (root, program) => join(folderOf(root), `${basename(program, ".ts")}.json`);

/** No program can set the time of the last change of an inode, so every write shows. */
const isUnchanged = (root, [path, size, changedAt]) => {
  const found = statSync(join(root, path));
  return found.size === size && found.ctimeMs === changedAt;
};

/** Returns the path of the bundle of a program, or undefined if there is none of the current sources. */
const findBundle = (root, program) => {
  try {
    const { entry, sources } = JSON.parse(readFileSync(manifestOf(root, program), "utf8"));
    const bundle = join(folderOf(root), entry);
    return existsSync(bundle) && sources.every((source) => isUnchanged(root, source))
      ? bundle
      : undefined;
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

const buildBundle = (root, builder) => {
  if (!canBuild(root)) return;
  // If it fails, the program runs from its source.
  spawnSync(process.execPath, [join(root, builder)], { stdio: "ignore" });
};

/** Returns the path of the current bundle of a program, which is built if necessary. Undefined means to run the source. */
export const bundledProgram = (root, program) => {
  const builder = builders[program];
  if (builder === undefined) return undefined;
  const found = findBundle(root, program);
  if (found !== undefined) return found;
  buildBundle(root, builder);
  return findBundle(root, program);
};
