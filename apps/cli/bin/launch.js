import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundledProgram } from "./bundled-program.js";

// Uses old JavaScript, because an outdated Node cannot read TypeScript or newer syntax.

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

const refuse = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** @param {string} version of the form 22.22.0 */
const numbersOf = (version) => version.split(".").map(Number);

const isTooOld = (version, least) => {
  const [major, minor] = numbersOf(version);
  const [leastMajor, leastMinor] = numbersOf(least);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
};

const refuseOldNode = () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const least = engines.node.replace(/^>=/, "");
  const { node } = process.versions;
  if (isTooOld(node, least))
    refuse(
      `Latchkey needs Node ${least} or newer, and this is Node ${node}. Install it, or run \`npm ci\`, which brings one along.`,
    );
};

const refuseMissingPackages = () =>
  refuse("The packages of Latchkey are not installed completely. Run `npm ci`, then try again.");

/** npm writes this file last. */
const marker = join(root, "node_modules", ".package-lock.json");

const isMissingPackage = (error) =>
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(error && error.code);

/**
 * From the second start on, Node loads the compiled code instead of stripping types and compiling again. The folder is within the
 * installation, so that no other user of the machine can write code into it. Node skips a folder that it cannot use.
 */
const enableCompileCache = (folder) => nodeModule.enableCompileCache(join(folder, "compiled"));

/** Imports a bundle, with its compiled code beside it, and with stack traces that name the source. */
const importBundle = (bundle) => {
  enableCompileCache(dirname(bundle));
  if (nodeModule.setSourceMapsSupport)
    nodeModule.setSourceMapsSupport(true, { nodeModules: true, generatedCode: false });
  return import(pathToFileURL(bundle).href);
};

const importSource = (program) => {
  enableCompileCache(join(root, "node_modules", ".cache"));
  return import(pathToFileURL(join(root, program)).href);
};

/** Runs a program of the repository, or prints in one line why it cannot run: Node is too old, or packages are missing. */
export const launch = async (program) => {
  refuseOldNode();
  if (!existsSync(marker)) refuseMissingPackages();
  const bundle = bundledProgram(root, program);
  try {
    await (bundle === undefined ? importSource(program) : importBundle(bundle));
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    refuseMissingPackages();
  }
};
