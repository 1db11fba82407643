import { mkdir, mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundledProgram } from "./launcher.fixture.ts";

const program = "apps/all-in-one/src/start.ts";
const service = "services/gateway/src/main.ts";
const source = "services/one.ts";
const programs = "node_modules/.cache/programs";

/** Counts its runs, and describes the sources as they are. */
const builder = `
  import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
  import { join } from "node:path";
  const root = join(import.meta.dirname, "../../../..");
  const folder = join(root, ${JSON.stringify(programs)});
  mkdirSync(join(folder, "a"), { recursive: true });
  writeFileSync(join(folder, "a/start.mjs"), "");
  writeFileSync(join(folder, "a/gateway.mjs"), "");
  appendFileSync(join(root, "runs"), "run ");
  const { size, ctimeMs } = statSync(join(root, ${JSON.stringify(source)}));
  const sources = [[${JSON.stringify(source)}, size, ctimeMs]];
  const bundled = { ${JSON.stringify(program)}: "a/start.mjs", ${JSON.stringify(service)}: "a/gateway.mjs" };
  writeFileSync(join(folder, "programs.json"), JSON.stringify({ root, programs: bundled, sources }));
`;

let root: string;
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "latchkey-launch-"));
  await write(source, "a");
  await write("node_modules/rolldown/package.json", "{}");
  await write("apps/all-in-one/src/bundle/build-programs.ts", builder);
});
afterEach(() => rm(root, { recursive: true }));

const runs = async (): Promise<number> => {
  const text = await readFile(join(root, "runs"), "utf8").catch(() => "");
  return text.split("run").length - 1;
};
const bundle = () => join(root, programs, "a/start.mjs");

test("a program is bundled once, and again after a source has changed or moved", async () => {
  expect([bundledProgram(root, program), bundledProgram(root, program)]).toEqual([
    bundle(),
    bundle(),
  ]);
  expect(await runs()).toBe(1);
  const { atime, mtime } = await stat(join(root, source));
  await write(source, "b");
  await utimes(join(root, source), atime, mtime);
  expect(bundledProgram(root, program)).toBe(bundle());
  expect(await runs()).toBe(2);
  await rename(join(root, source), join(root, `${source}.old`));
  expect(bundledProgram(root, program)).toBe(undefined);
});

test("npm start and a service share one bundle", async () => {
  bundledProgram(root, program);
  expect(bundledProgram(root, service)).toBe(join(root, programs, "a/gateway.mjs"));
  expect(await runs()).toBe(1);
});

test("a bundle that has been removed is built again", async () => {
  bundledProgram(root, program);
  await rm(bundle());
  expect(bundledProgram(root, program)).toBe(bundle());
  expect(await runs()).toBe(2);
});

test.each([
  [
    "whose build fails",
    program,
    () => write("apps/all-in-one/src/bundle/build-programs.ts", "throw"),
  ],
  ["without the bundler", program, () => rm(join(root, "node_modules"), { recursive: true })],
  ["without a place for its bundle", program, () => write("node_modules/.cache", "a file")],
  ["that is not bundled", "apps/cli/src/latchkey.ts", async () => {}],
])("a program %s runs from its source", async (_what, named, prepare) => {
  await prepare();
  expect(bundledProgram(root, named)).toBe(undefined);
  expect(await runs()).toBe(0);
});
