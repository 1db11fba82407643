import { readFile, writeFile } from "node:fs/promises";
import { openApiDocument } from "@latchkey/contracts";
import { drawChart } from "./benchmarks/draw-chart.ts";
import { readResults } from "./benchmarks/results.ts";
import { writePage } from "./benchmarks/write-page.ts";
import { configurationReference } from "./configuration-reference.ts";

// npm run docs: generates the documents that derive from the contracts and from the bench results. With --check, reports whether they are
// current.

const measured = await readResults();

const documents: Readonly<Record<string, string>> = {
  "docs/openapi.json": `${JSON.stringify(openApiDocument("http://localhost:3000/api/auth"), null, 2)}\n`,
  "docs/configuration.md": configurationReference(),
  "docs/benchmarks.md": writePage(measured),
  "docs/benchmarks.svg": drawChart(measured),
};

const isCheck = process.argv.includes("--check");
for (const [path, text] of Object.entries(documents)) {
  if (!isCheck) {
    await writeFile(path, text);
    continue;
  }
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept === text) continue;
  process.stderr.write(`${path} is stale: run npm run docs\n`);
  process.exitCode = 1;
}
