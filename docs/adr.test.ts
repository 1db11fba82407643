import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "adr");

test("the page of decisions lists each record once, by its title", async () => {
  const page = await readFile(join(folder, "README.md"), "utf8");
  const names = (await readdir(folder)).filter((name) => name !== "README.md");
  const records = await Promise.all(
    names.map(async (name) => {
      const [heading = ""] = (await readFile(join(folder, name), "utf8")).split("\n", 1);
      const [, number, title] = /^# (\d+)\. (.+)$/.exec(heading) ?? [];
      return `| ${number} | [${title}](${name}) |`;
    }),
  );
  const listed = page.split("\n").filter((line) => /^\| \d/.test(line));
  expect(listed.map((line) => line.replace(/ \S+ \|$/, "")).toSorted()).toEqual(records.toSorted());
});
