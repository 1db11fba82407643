import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** The number of requirements in each section of ASVS 5.0.0, by chapter. */
const sections: readonly (readonly number[])[] = [
  [2, 10, 12, 3, 3],
  [3, 3, 5, 2],
  [1, 3, 5, 8, 8, 1, 5],
  [5, 5, 2, 4],
  [1, 6, 3, 3],
  [3, 12, 8, 6, 8, 4, 2, 4],
  [3, 4, 2, 5, 3, 2],
  [4, 4, 3, 2],
  [3, 4],
  [2, 3, 5, 16, 5, 2, 3],
  [4, 5, 5, 4, 2, 2, 2],
  [5, 2, 5],
  [4, 6, 4, 7],
  [2, 8, 3],
  [5, 5, 7, 4],
  [1, 5, 4, 3, 4],
  [2, 8, 2],
];
const numbers = sections.flatMap((counts, chapter) =>
  counts.flatMap((count, section) =>
    Array.from({ length: count }, (_, at) => `${chapter + 1}.${section + 1}.${at + 1}`),
  ),
);

const states = new Set(["met", "partly", "operator", "not met", "not applicable"]);

interface Row {
  /** One number, or the first and the last of several. */
  number: string;
  state: string;
  proof: string;
}

const page = await readFile("docs/asvs.md", "utf8");
const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d.*) \|$/gm)].map(([, text = ""]) => {
  const [number = "", , , state = "", proof = ""] = text.split(" | ");
  return { number, state, proof };
});
const proofs = rows.flatMap(({ number, proof }) =>
  [...proof.matchAll(/`([\w./-]+\.test\.ts) › ([^`]+)`/g)].map(
    ([, file = "", name = ""]) => [number, file, name] as const,
  ),
);

test("judges each requirement once, in order", () => {
  const judged = rows.flatMap(({ number }) => {
    const [first = "", last = first] = number.split(" to ");
    return numbers.slice(numbers.indexOf(first), numbers.indexOf(last) + 1);
  });
  expect(judged).toEqual(numbers);
  expect(rows.filter(({ state }) => !states.has(state))).toEqual([]);
});

test("names a test for each requirement that is met, or states that there is none", () => {
  const claims = rows.filter(({ state }) => state === "met" || state === "partly");
  expect(
    claims.filter(({ proof }) => !proof.includes(" › ") && !proof.endsWith("no test")),
  ).toEqual([]);
});

test("names only existing tests as proof", async () => {
  expect(proofs.length).toBeGreaterThan(200);
  const sources = new Map<string, string>();
  for (const file of new Set(proofs.map(([, each]) => each)))
    sources.set(file, await readFile(file, "utf8").catch(() => ""));
  const isThere = (file: string, name: string): boolean =>
    ['"', "`"].some((quote) => sources.get(file)?.includes(`${quote}${name}${quote}`));
  expect(proofs.filter(([, file, name]) => !isThere(file, name))).toEqual([]);
});

test("links only to existing pages and headings", async () => {
  const links = [...page.matchAll(/\]\(([\w./-]+\.\w+)(?:#([\w-]+))?\)/g)];
  expect(links.length).toBeGreaterThan(20);
  const anchorsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
  for (const [link, path = "", anchor] of links) {
    const text = await readFile(new URL(path, import.meta.url), "utf8");
    if (anchor) expect([link, anchorsOf(text)]).toEqual([link, expect.arrayContaining([anchor])]);
  }
});
