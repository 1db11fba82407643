import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createBrotliCompress, createBrotliDecompress } from "node:zlib";
import { latchkeyScript } from "../../../harness/run-latchkey.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const releases = join(root, "test", "reliability", "upgrade", "releases");

/** A saved release: `code.tar.br` is its code, `rows.sql.br` a dump of a database that it created and used. */
export interface Release {
  version: string;
  code: string;
  rows: string;
}

export const releaseOf = (version: string): Release => ({
  version,
  code: join(releases, version, "code.tar.br"),
  rows: join(releases, version, "rows.sql.br"),
});

/** Returns the previous release, which is the only saved one. */
export const findRelease = async (): Promise<Release> => {
  const [version, ...others] = await readdir(releases);
  if (version === undefined || others.length > 0)
    throw new Error(`${releases} must contain exactly one release: the previous one`);
  return releaseOf(version);
};

/** Creates an empty folder for a release. Deletes any other release. */
export const clearReleases = async (version: string): Promise<void> => {
  await rm(releases, { recursive: true, force: true });
  await mkdir(join(releases, version), { recursive: true });
};

const compressed = () =>
  createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });

/** Compresses a stream into a file as small as possible. */
export const compressInto = async (path: string, source: NodeJS.ReadableStream): Promise<void> => {
  await pipeline(source, compressed(), createWriteStream(path));
};

/** The files that a release needs to run. */
const parts = [
  "package.json",
  "libs",
  "services",
  "apps/cli",
  ...[
    "libs/testkit",
    "libs/server",
    "libs/react",
    "**/*.test.ts",
    "**/*.fixture.ts",
    "**/*.md",
  ].map((path) => `:(exclude,glob)${path.includes("*") ? path : `${path}/**`}`),
];

/** Saves the code of a commit. */
export const saveCode = async (commit: string, path: string): Promise<void> => {
  const archive = spawn("git", ["archive", "--format=tar", commit, "--", ...parts], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(archive, "close") as Promise<[number | null]>;
  await compressInto(path, archive.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git archive ended with code ${code}`);
};

/** Returns the version of a commit. */
export const readVersion = async (commit: string): Promise<string> => {
  const { stdout } = await run("git", ["show", `${commit}:package.json`], { cwd: root });
  return (JSON.parse(stdout) as { version: string }).version;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the path of the command in the code of a system. Release 0.1.0 has it in `scripts`. */
export const commandOf = async (system: string): Promise<string> => {
  const script = latchkeyScript(system);
  return (await exists(script)) ? script : join(system, "scripts", "latchkey.ts");
};

/** Links the system's own packages to the release's code, and all others to the packages installed here. */
const linkPackages = async (system: string): Promise<void> => {
  const own = join(system, "node_modules", "@latchkey");
  await mkdir(own, { recursive: true });
  for (const kind of ["libs", "services"])
    for (const name of await readdir(join(system, kind))) {
      await symlink(join("..", "..", kind, name), join(own, name));
      const installed = join(root, kind, name, "node_modules");
      if (await exists(installed))
        await symlink(installed, join(system, kind, name, "node_modules"));
    }
};

const unpack = async (path: string, system: string): Promise<void> => {
  // Reads to the end of its input, because a pipe that closes before fails.
  const tar = spawn("tar", ["--extract", "--ignore-zeros", `--directory=${system}`], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(tar, "close") as Promise<[number | null]>;
  await pipeline(createReadStream(path), createBrotliDecompress(), tar.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with code ${code}`);
};

/**
 * Unpacks a release so that it can run, and returns its folder. The folder is inside of this project, so that it finds the installed
 * packages, and is kept.
 */
export const unpackRelease = async ({ version, code }: Release): Promise<string> => {
  const hash = createHash("sha256").update(await readFile(code));
  const releases = join(root, "test-artifacts", "releases");
  const system = join(releases, `${version}-${hash.digest("hex").slice(0, 12)}`);
  if (await exists(system)) return system;
  const unfinished = join(releases, `unfinished-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  await unpack(code, unfinished);
  await linkPackages(unfinished);
  // Another process may have created it meanwhile.
  await rename(unfinished, system).catch(() => rm(unfinished, { recursive: true, force: true }));
  return system;
};
