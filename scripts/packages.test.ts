import { spawnSync } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  name: z.string(),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  scripts: z.record(z.string(), z.string()).default({}),
  allowScripts: z.record(z.string(), z.boolean()).optional(),
  engines: z.object({ node: z.string() }).optional(),
  devEngines: z
    .object({
      packageManager: z.object({ name: z.string(), version: z.string(), onFail: z.string() }),
    })
    .optional(),
});
const names = z.union([z.array(z.string()), z.string().transform((name) => [name])]);
const locked = z.object({
  version: z.string().optional(),
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  dev: z.boolean().optional(),
  engines: z.object({ node: z.string().optional() }).optional(),
  os: names.optional(),
  cpu: names.optional(),
});

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, "utf8"));
const manifests: z.infer<typeof manifest>[] = [];
for await (const path of glob(["package.json", "{libs,services,apps}/*/package.json"]))
  manifests.push(manifest.parse(await readJson(path)));
const { packages } = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(await readJson("package-lock.json"));
const installed = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
const root = manifests.find(({ name }) => name === "latchkey") ?? manifest.parse({ name: "none" });
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? "";
const isOurs = (name: string): boolean => name.startsWith("@latchkey/");

test("uses one version of each named package, and workspaces for our own", () => {
  const named = manifests.flatMap((each) =>
    Object.entries({ ...each.dependencies, ...each.devDependencies, ...each.optionalDependencies }),
  );
  expect(named.length).toBeGreaterThan(50);
  const isPinned = /^(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  expect(
    named.filter(([name, version]) => (isOurs(name) ? version !== "*" : !isPinned.test(version))),
  ).toEqual([]);
});

/** Attack: a server for a package's name or address delivers another package. */
test("identifies each package by its hash and by no address", () => {
  expect(installed.length).toBeGreaterThan(500);
  const folders = /^(?:libs|services|apps)\/[\w-]+$/;
  expect(
    installed.filter(([path, { link, resolved, integrity }]) =>
      link
        ? !isOurs(nameOf(path)) || !folders.test(resolved ?? "")
        : resolved !== undefined || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
    ),
  ).toEqual([]);
});

/** Returns whether a package is installed on none of the systems that Latchkey supports. */
const isElsewhere = ({ os, cpu }: z.infer<typeof locked>): boolean =>
  !(os ?? ["linux"]).some((name) => name === "linux" || name === "darwin") ||
  !(cpu ?? ["x64"]).some((name) => name === "x64" || name === "arm64");

/** Attack: a compromised package runs code on each machine that installs it. */
test("lets no package run a script during installation", async () => {
  const decided = root.allowScripts ?? {};
  expect(Object.values(decided)).not.toContain(true);
  const undecided = installed.filter(
    ([path, entry]) =>
      entry.hasInstallScript && !isElsewhere(entry) && !Object.hasOwn(decided, nameOf(path)),
  );
  expect(undecided).toEqual([]);
  expect(await readFile(".npmrc", "utf8")).toMatch(/^strict-allow-scripts=true$/m);
});

/** Runs the check like an npm of that version after it has installed the packages. */
const checkNpm = async (version: string) => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-npm-"));
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ version }));
  const environment = { npm_execpath: join(folder, "bin", "npm-cli.js") };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/check-npm.js"], {
    env: environment,
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  return [status, stderr];
};

/** An older npm ignores strict-allow-scripts and lets every package run scripts. */
test("refuses an npm that does not know strict-allow-scripts", async () => {
  // From 10.9 on, npm reads this and stops before it installs anything.
  expect(root.devEngines).toEqual({
    packageManager: { name: "npm", version: ">=11.16.0", onFail: "error" },
  });
  expect(root.scripts["dependencies"]).toMatch(/; node scripts\/check-npm\.js$/);
  for (const version of ["11.16.0", "11.19.1", "12.2.0"])
    expect(await checkNpm(version)).toEqual([0, ""]);
  for (const old of ["10.8.2", "11.15.0"])
    expect(await checkNpm(old)).toEqual([
      1,
      `Latchkey needs npm 11.16.0 or newer, and this is npm ${old}: run \`npm install --global npm@11\`, then \`npm ci\` again.\n`,
    ]);
});

/** Returns a positive number if the first version is newer, and a negative one if the second is. */
const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, "en", { numeric: true });

/** Reads the range formats that packages use for Node: `>=1.2`, `^1.2 || >=3`, `1 || 2`. */
const isInRange = (version: string, range: string): boolean =>
  range.split("||").some((choice) =>
    choice
      .trim()
      .replaceAll(/([>=^]) +/g, "$1")
      .split(/ +/)
      .every((part) => {
        const [, operator = "", least = ""] =
          /^(>=|\^)?(\d+(?:\.\d+)*)(?:\.[x*])*$/.exec(part) ?? [];
        const isSameMajor = version.split(".")[0] === least.split(".")[0];
        return (operator === ">=" || isSameMajor) && compareVersions(version, least) >= 0;
      }),
  );

/** npm warns about each package that needs another Node than the running one. */
test("names a Node in README that every package supports", async () => {
  const least = /^>=(\d+\.\d+)\.0$/.exec(root.engines?.node ?? "")?.[1] ?? "";
  for (const page of ["README.md", "docs/getting-started.md"])
    expect(await readFile(page, "utf8"), page).toContain(`Node ${least} or newer`);
  const refusing = installed.filter(
    ([, { engines }]) => engines?.node && !isInRange(`${least}.0`, engines.node),
  );
  expect(refusing.map(([path]) => path)).toEqual([]);
  expect([isInRange("20.20.0", ">=22"), isInRange("22.22.0", "^20.1 || >= 22.9")]).toEqual([
    false,
    true,
  ]);
});

/** Attack: a compromised dependency runs in the applications that install a library of ours. */
test("gives the libraries for applications no dependencies", () => {
  for (const name of ["@latchkey/server", "@latchkey/react"]) {
    const library = manifests.find((each) => each.name === name);
    expect(library).toMatchObject({ dependencies: {}, optionalDependencies: {} });
  }
});

test("lists every production package with its purpose", async () => {
  const running = manifests
    .filter(({ name }) => name !== "@latchkey/testkit")
    .flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
  const text = await readFile("SECURITY.md", "utf8");
  const rows = [...text.matchAll(/^\| (`.+`) \| \S.* \|$/gm)].map(([, names]) => names ?? "");
  const listedNames = rows.flatMap((names) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(listedNames.toSorted()).toEqual(
    [...new Set(running)].filter((name) => !isOurs(name)).toSorted(),
  );
});

/** The Node of the packages needs a library that small images of Debian lack. */
test("npm ci says which library to install if the Node of the packages cannot start", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-node-"));
  const loader = "node: error while loading shared libraries: libatomic.so.1";
  await writeFile(join(folder, "node"), `#!/bin/sh\necho '${loader}' >&2\nexit 127\n`, {
    mode: 0o755,
  });
  const { status, stderr } = spawnSync("/bin/sh", ["-c", root.scripts["dependencies"] ?? ""], {
    env: { PATH: folder },
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  expect([status, stderr.split("\n")]).toEqual([
    1,
    [loader, expect.stringContaining("(Debian: apt-get install libatomic1)"), ""],
  ]);
});
