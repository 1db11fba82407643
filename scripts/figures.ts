import { readSources, type SourceFile } from "./read-sources.ts";

// npm run figures: counts what shows whether the structure is simple. Prints a table.

/** A file with fewer lines belongs into its only user. */
const smallLineCount = 15;

const sumOf = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { lineCount }) => sum + lineCount, 0);

const all = readSources();
const sources = all.filter(({ isTest }) => !isTest);
const users = new Map<string, number>();
for (const { imports } of sources)
  for (const path of imports) users.set(path, (users.get(path) ?? 0) + 1);
const single = sources.filter(({ path }) => users.get(path) === 1);
const small = single.filter(({ lineCount }) => lineCount < smallLineCount);

const figures: readonly (readonly [what: string, count: number])[] = [
  ["source files", sources.length],
  ["lines of source files", sumOf(sources)],
  ["source files with one user", single.length],
  [`source files under ${smallLineCount} lines with one user`, small.length],
  ["lines of tests", sumOf(all) - sumOf(sources)],
];
for (const [what, count] of figures) process.stdout.write(`${what}: ${count}\n`);
if (process.argv.includes("--small"))
  for (const { path } of small) process.stdout.write(`${path}\n`);
