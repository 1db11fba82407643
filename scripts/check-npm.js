import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

// Runs after npm has installed the packages. An npm before 11.16 ignores strict-allow-scripts and lets every package run an install script.
// From 10.9 on, npm reads devEngines and stops before the installation. An older one reaches this check.

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const { devEngines } = readJson(new URL("../package.json", import.meta.url));
const least = devEngines.packageManager.version.replace(/^>=/, "");
const [leastMajor, leastMinor] = least.split(".").map(Number);

// The user agent may be that of an outer npm that started this one.
const npm = process.env.npm_execpath || "";
if (npm.endsWith("npm-cli.js")) {
  const { version } = readJson(join(dirname(npm), "..", "package.json"));
  const [major, minor] = version.split(".").map(Number);
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    process.stderr.write(
      `Latchkey needs npm ${least} or newer, and this is npm ${version}: run \`npm install --global npm@${leastMajor}\`, then \`npm ci\` again.\n`,
    );
    process.exit(1);
  }
}
