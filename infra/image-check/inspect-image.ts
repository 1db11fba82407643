import { lstat, readdir, readFile, readlink, realpath } from "node:fs/promises";
import { join, relative } from "node:path";

/** A file or folder of an image. */
interface Entry {
  /** From the root of the image. */
  path: string;
  bytes: number;
  mode: number;
  isLink: boolean;
}

/** The faults of an image, and its size without Node. */
export interface Inspection {
  faults: string[];
  megabytes: number;
  packages: number;
}

/** The only folder that the image's account may write. */
const writable = "var/lib/latchkey";
const system = "opt/latchkey";
const writableBits = 0o222;

const walk = async (root: string, folder: string): Promise<Entry[]> => {
  const names = await readdir(join(root, folder));
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const status = await lstat(join(root, path));
      const entry = {
        path,
        bytes: status.size,
        mode: status.mode,
        isLink: status.isSymbolicLink(),
      };
      return [[entry], status.isDirectory() ? await walk(root, path) : []].flat();
    }),
  );
  return entries.flat();
};

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>;
}

const packagePath =
  /^((apps|libs|services)\/[^/]+\/)?node_modules\/(@[^/]+\/)?[^@./][^/]*(\/node_modules\/(@[^/]+\/)?[^@./][^/]*)*$/;

/** The package folders, named as in the lockfile. */
const packagesOf = (entries: readonly Entry[]): string[] =>
  entries.map(({ path }) => relative(system, path)).filter((path) => packagePath.test(path));

const checkPackages = (packages: readonly string[], { packages: locked }: Lock): string[] =>
  packages
    .filter((path) => {
      const entry = locked[path];
      return entry === undefined || entry.dev === true || entry.devOptional === true;
    })
    .map((path) => `${path} is a package that nothing needs in production`);

const checkLinks = async (root: string, entries: readonly Entry[]): Promise<string[]> => {
  const faults: string[] = [];
  const links = entries.filter(({ path }) => /node_modules\/@latchkey\/[^/]+$/.test(path));
  if (links.length === 0) faults.push("no workspace is linked");
  for (const { path, isLink } of links) {
    if (!isLink) faults.push(`${path} is a copy: Node strips no types of it`);
    else if ((await readlink(join(root, path))).startsWith("/"))
      faults.push(`${path} points out of the image`);
    else await realpath(join(root, path)).catch(() => faults.push(`${path} points at nothing`));
  }
  return faults;
};

const checkFiles = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ path, mode, isLink }) => {
    const isOurs = path.startsWith(system) && !path.includes("node_modules/");
    if (isOurs && /\.(test|fixture)\.tsx?$|\/testkit|\/bench|\.env$|\.password$/.test(path))
      return [`${path} has no business in an image`];
    if (!isLink && (mode & writableBits) !== 0 && !path.startsWith(writable))
      return [`${path} can be written to`];
    return [];
  });

/** Inspects the files of an image that was made read-only. */
export const inspectImage = async (root: string): Promise<Inspection> => {
  const lock = await readFile(join(root, system, "package-lock.json"), "utf8");
  const entries = await walk(root, "");
  const packages = packagesOf(entries);
  const bytes = entries
    .filter(({ path }) => !path.startsWith("usr/local/bin"))
    .reduce((sum, entry) => sum + entry.bytes, 0);
  return {
    faults: [
      ...checkPackages(packages, JSON.parse(lock) as Lock),
      ...(await checkLinks(root, entries)),
      ...checkFiles(entries),
    ],
    megabytes: Math.round(bytes / 1024 ** 2),
    packages: packages.length,
  };
};
