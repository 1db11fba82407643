import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { serviceNames } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { listContext } from "./image-check/list-context.ts";
import { parseDockerfile } from "./image-check/parse-dockerfile.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readJson = (path: string) => JSON.parse(read(path)) as unknown;

const stages = parseDockerfile(read("infra/Dockerfile"));
const final = stages.at(-1)?.instructions ?? [];
const context = await listContext(root);
const instructionsOf = (keyword: string) =>
  final.filter((instruction) => instruction.keyword === keyword);

/** The paths that `COPY` puts from the build context into the last stage. */
const copied = instructionsOf("COPY")
  .filter(({ flags }) => flags["from"] === undefined)
  .flatMap(({ words }) => words.slice(0, -1));
const isInImage = (path: string) =>
  context.includes(path) && copied.some((source) => path.startsWith(`${source}/`));

test("every source of a COPY is in the build context", () => {
  const sources = stages.flatMap(({ instructions }) =>
    instructions
      .filter(({ keyword, flags }) => keyword === "COPY" && flags["from"] === undefined)
      .flatMap(({ words }) => words.slice(0, -1)),
  );
  expect(sources).not.toHaveLength(0);
  for (const source of sources)
    expect(
      context.some((path) => path === source || path.startsWith(`${source}/`)),
      source,
    ).toBe(true);
});

test("the base image is pinned to the Node version of the tests", () => {
  const { optionalDependencies } = readJson("package.json") as {
    optionalDependencies: Record<string, string>;
  };
  const versions = new Set(Object.values(optionalDependencies));
  expect(versions.size).toBe(1);
  const [base, ...others] = stages.map(({ from }) => from);
  expect(base).toBe(`node:${[...versions][0]}-bookworm-slim`);
  expect(new Set(others)).toEqual(new Set(["base"]));
});

test("the version label of the image is the version of Latchkey", () => {
  const { version } = readJson("package.json") as { version: string };
  expect(instructionsOf("ARG").map(({ text }) => text)).toContain(`VERSION=${version}`);
});

test("the image runs as a numeric non-root account, in exec form", () => {
  expect(instructionsOf("USER").map(({ text }) => text)).toEqual(["1000:1000"]);
  expect(instructionsOf("ENTRYPOINT")[0]?.text).toMatch(/^\["node", /);
  expect(instructionsOf("STOPSIGNAL")[0]?.text).toBe("SIGTERM");
  expect(instructionsOf("HEALTHCHECK")[0]?.text).toMatch(/^CMD \["node", /);
  expect(instructionsOf("ENV").map(({ text }) => text)).toEqual(["NODE_ENV=production"]);
});

test("the package stages copy the manifest of every production workspace", () => {
  const manifests = new Set(
    stages
      .find(({ name }) => name === "packages")
      ?.instructions.flatMap(({ words }) => words.filter((word) => word.endsWith("package.json"))),
  );
  const needed = new Set<string>();
  const visit = (folder: string) => {
    if (needed.has(folder)) return;
    needed.add(folder);
    const { dependencies = {} } = readJson(`${folder}/package.json`) as {
      dependencies?: Record<string, string>;
    };
    for (const name of Object.keys(dependencies).filter((each) => each.startsWith("@latchkey/")))
      visit(folderOf(name));
  };
  visit("apps/cli");
  for (const name of serviceNames) visit(`services/${name}`);
  expect(manifests).toEqual(
    new Set(["package.json", ...[...needed].map((folder) => `${folder}/package.json`)]),
  );
});

test("no test, fixture, benchmark or secret is in the build context", () => {
  const strange = /\.test\.|\.fixture\.|^test\/|\/bench|testkit|\.env$|\.password$|\.data/;
  expect(context.filter((path) => strange.test(path))).toEqual([]);
});

const folderOf = (name: string) => {
  const short = name.slice("@latchkey/".length);
  return (serviceNames as readonly string[]).includes(short)
    ? `services/${short}`
    : `libs/${short}`;
};

const imports =
  /^(?:import|export) (?!type )[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

const importsOf = (path: string): string[] =>
  [...read(path).matchAll(imports)].map(([, one, other, later]) => one ?? other ?? later ?? "");

const fileOf = (name: string, importer: string): string | undefined => {
  if (name.startsWith(".")) return resolve("/", dirname(importer), name).slice(1);
  if (!name.startsWith("@latchkey/")) return undefined;
  const [, short = "", ...below] = name.split("/");
  const folder = folderOf(`@latchkey/${short}`);
  const { exports } = readJson(`${folder}/package.json`) as { exports: Record<string, string> };
  const entry = below.join("/");
  const file = exports[entry === "" ? "." : `./${entry}`] ?? exports["./*"]?.replace("*", entry);
  return join(folder, file ?? "");
};

const { packages: locked } = readJson("package-lock.json") as {
  packages: Record<string, { dev?: boolean } | undefined>;
};

/** Whether an import resolves with production packages only. */
const findsPackage = (name: string, importer: string): boolean => {
  const [scope = "", short = ""] = name.split("/");
  const folder = `node_modules/${scope.startsWith("@") ? `${scope}/${short}` : scope}`;
  const own = importer.split("/").slice(0, 2).join("/");
  const entry = locked[`${own}/${folder}`] ?? locked[folder];
  return entry !== undefined && !entry.dev;
};

test("the image contains every imported file, and no import needs a development package", () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!isInImage(path)) missing.push(path);
    for (const name of importsOf(path)) {
      const file = fileOf(name, path);
      if (file !== undefined) visit(file);
      else if (!name.startsWith("node:") && !findsPackage(name, path))
        missing.push(`${name} of ${path}`);
    }
  };
  for (const name of ["entry", "health", "make-secrets-command"]) visit(`infra/image/${name}.ts`);
  visit("apps/cli/src/latchkey.ts");
  for (const name of serviceNames) visit(`services/${name}/src/main.ts`);
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(400);
});
