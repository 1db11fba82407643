import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createBrotliCompress, createBrotliDecompress } from "node:zlib";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");
const releases = join(root, "test", "upgrade", "releases");

/** A saved release: `code.tar.br` is what it runs of, `rows.sql.br` a dump of a database that it made and used. */
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

/** The release before: the only one that is saved. */
export const findRelease = async (): Promise<Release> => {
  const [version, ...others] = await readdir(releases);
  if (version === undefined || others.length > 0)
    throw new Error(`${releases} must hold one release: the one before`);
  return releaseOf(version);
};

/** Begins the folder of a release anew, in the place of any other. */
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

/** Writes what comes, as small as it gets. */
export const compressInto = async (path: string, source: NodeJS.ReadableStream): Promise<void> => {
  await pipeline(source, compressed(), createWriteStream(path));
};

/** What a release runs of, and no more. */
const parts = [
  "package.json",
  "libs",
  "services",
  "scripts",
  ...["libs/testkit", "libs/verify", "**/*.test.ts", "**/*.fixture.ts", "**/*.md"].map(
    (path) => `:(exclude,glob)${path.includes("*") ? path : `${path}/**`}`,
  ),
];

/** Writes the code of a commit. */
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

/** The version of a commit. */
export const readVersion = async (commit: string): Promise<string> => {
  const { stdout } = await run("git", ["show", `${commit}:package.json`], { cwd: root });
  return (JSON.parse(stdout) as { version: string }).version;
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Packages of the house lead to the release's own code, all others to those that are installed here. */
const linkPackages = async (house: string): Promise<void> => {
  const own = join(house, "node_modules", "@latchkey");
  await mkdir(own, { recursive: true });
  for (const kind of ["libs", "services"])
    for (const name of await readdir(join(house, kind))) {
      await symlink(join("..", "..", kind, name), join(own, name));
      const installed = join(root, kind, name, "node_modules");
      if (await exists(installed))
        await symlink(installed, join(house, kind, name, "node_modules"));
    }
};

const unpack = async (path: string, house: string): Promise<void> => {
  const tar = spawn("tar", ["--extract", `--directory=${house}`], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(tar, "close") as Promise<[number | null]>;
  await pipeline(createReadStream(path), createBrotliDecompress(), tar.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with code ${code}`);
};

/** Makes a release ready to run; gives its folder. It lies within ours, so that it finds what is installed, and stays there. */
export const unpackRelease = async ({ version, code }: Release): Promise<string> => {
  const hash = createHash("sha256").update(await readFile(code));
  const kept = join(root, "test-artifacts", "releases");
  const house = join(kept, `${version}-${hash.digest("hex").slice(0, 12)}`);
  if (await exists(house)) return house;
  const unfinished = join(kept, `unfinished-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  await unpack(code, unfinished);
  await linkPackages(unfinished);
  // Another process may have been quicker.
  await rename(unfinished, house).catch(() => rm(unfinished, { recursive: true, force: true }));
  return house;
};
