import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Document, readDocument } from "./read-document.ts";

const page = `# A page

\`\`\`sh
echo 1
echo 2
\`\`\`
\`\`\`text
1
2
\`\`\`

<!-- not run: needs Docker -->
\`\`\`sh
docker ps
\`\`\`

\`\`\`text
of something else
\`\`\`
`;

let folder: string;
let document: Document;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-page-"));
  const path = join(folder, "page.md");
  await writeFile(path, page);
  document = await readDocument(path);
});
afterAll(() => rm(folder, { recursive: true }));

/** Guards the checks of documents: output that is not found would never be compared. */
test("only the block directly below a command is its output", () => {
  const shown = document.blocks.map(({ text, shown: written }) => [text, written]);
  expect(shown.slice(0, 3)).toEqual([
    ["echo 1\necho 2\n", "1\n2\n"],
    ["1\n2\n", undefined],
    ["docker ps\n", undefined],
  ]);
});

test("a comment directly above a block is its mark", () => {
  expect(document.blocks.map(({ mark }) => mark)).toEqual([
    undefined,
    undefined,
    "not run: needs Docker",
    undefined,
  ]);
});
