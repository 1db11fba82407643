import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inspectImage } from "../infra/image-check/inspect-image.ts";
import { listContext } from "../infra/image-check/list-context.ts";
import { parseDockerfile } from "../infra/image-check/parse-dockerfile.ts";
import { replayImage } from "../infra/image-check/replay-image.ts";
import { runImage } from "../infra/image-check/run-image.ts";

// npm run image:check: builds the image without an engine, in plain folders, and runs all of it on real stores, with the image's account
// and no writable files. Takes minutes. It installs packages for this machine and does not use the base image.

const root = join(import.meta.dirname, "..");

const makeReadOnly = async (directory: string): Promise<void> => {
  await promisify(execFile)("chmod", ["-R", "a-w", directory]);
  await chmod(join(directory, "var/lib/latchkey"), 0o750);
};

const check = async (directory: string): Promise<void> => {
  const dockerfile = await readFile(join(root, "infra/Dockerfile"), "utf8");
  const stages = parseDockerfile(dockerfile);
  const context = await listContext(root);
  process.stdout.write(`${context.length} files are given to the build\n`);
  const image = await replayImage({ stages, root, context, directory });
  await makeReadOnly(image.root);
  const { faults, megabytes, packages } = await inspectImage(image.root);
  process.stdout.write(`${packages} packages, ${megabytes} MB without Node\n`);
  if (faults.length > 0) throw new Error(`faults:\n${faults.join("\n")}`);
  process.stdout.write("runs:\n");
  await runImage(image);
  process.stdout.write("the image passed all checks\n");
};

if (process.getuid?.() !== 0)
  throw new Error("npm run image:check must run as root, to switch to the image's account");
const directory = await mkdtemp(join(tmpdir(), "latchkey-image-"));
try {
  // Other accounts must be able to enter the folder.
  await chmod(directory, 0o755);
  await check(directory);
} finally {
  await rm(directory, { recursive: true, force: true });
}
