import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceNames } from "@latchkey/contracts";
import { findBrokenLinks } from "../documents/broken-links.ts";
import { type DocumentedSystem, startDocumentedSystem } from "../documents/documented-system.ts";
import { startDocumentShell } from "../documents/document-shell.ts";
import { findMissingNames } from "../documents/missing-names.ts";
import type { Block } from "../documents/read-document.ts";
import { pageMilliseconds, readDocuments, runPage } from "../documents/run-page.ts";
import { typeCheckBlocks } from "../documents/type-check-blocks.ts";
import { matrixTest } from "../harness/matrix.ts";
import { systemUnderTest } from "../harness/system-under-test.ts";

/** The accepted reasons not to run a block here. Every other block is run. */
const notRun = new Set([
  "not run: needs Docker",
  "not run: needs a service of yours", // run by server-package.test.ts
  "not run: needs Kubernetes",
  "not run: needs systemd", // its script is run below
  "not run: needs a provider",
  "not run: needs a receiver", // run by webhook-receivers.test.ts
  "not run: needs a session with a second factor",
  "not run: needs a user who cannot sign in",
  "not run: starts what is run here",
  "not run: installs packages",
]);
/** Run by test/images/procedures.test.ts in `npm run test:matrix`. */
const inContainers = /^run in containers: [a-z-]+$/;
/** The accepted reasons not to check a block. */
const notChecked =
  /^not checked: (?:part of a whole|needs files|Python|\S+ is not installed here)$/;
const code = new Set(["ts", "tsx"]);

const pages = await readDocuments("README.md", "docs/*.md");
const blocksOf = (isWanted: (block: Block) => boolean): Block[] =>
  pages.flatMap(({ blocks }) => blocks.filter(isWanted));

/** The commands of the other pages run in `npm run test:matrix`. */
describe("the first commands of a new user work as written", () => {
  let system: DocumentedSystem;
  beforeAll(async () => {
    system = await startDocumentedSystem();
  });
  afterAll(() => system?.stop());

  test(
    "README.md",
    async () => {
      const [page] = await readDocuments("README.md");
      await runPage(system, page!);
    },
    pageMilliseconds,
  );

  /** A block of a page, by a pattern of its text. */
  const findBlock = (path: string, pattern: RegExp): string => {
    const [block, another] = blocksOf(
      ({ document, text }) => document === path && pattern.test(text),
    );
    if (!block || another) throw new Error(`${path} must have one block with ${pattern}`);
    return block.text;
  };

  matrixTest(
    "the script for systemd, on the installation and on a restored database",
    async () => {
      const { folder, environment } = await system.openFolder("systemd");
      const owner = await system.createDatabase("of_systemd");
      const secrets = join(folder, "etc");
      await mkdir(secrets);
      const write = (name: string, text: string) => writeFile(join(secrets, name), text);
      await write("environment", findBlock("docs/deploying.md", /^MAIL_FROM='/m));
      await write("secret", system.own.secret);
      await write("owner.database-url", owner);
      for (const name of serviceNames)
        await write(
          `${name}.database-url`,
          owner.replace("postgres@", `latchkey_${name}:${name}@`),
        );
      const script = findBlock("docs/deploying.md", /^#!\/bin\/sh\n/)
        .replaceAll("/etc/latchkey", secrets)
        .replaceAll("/opt/latchkey", systemUnderTest())
        .replaceAll("/usr/bin/node", process.execPath);
      await writeFile(join(folder, "latchkey"), script);
      const [restored] =
        /^RESTORED=.+$/m.exec(findBlock("docs/operations.md", /^RESTORED=/m)) ?? [];
      const shell = startDocumentShell(folder, { PATH: environment["PATH"] ?? "" });
      try {
        await shell.run("sh latchkey migrate");
        expect(await shell.run("sh latchkey audit verify")).toContain("identity: no entries");
        await system.createDatabase("latchkey_restored");
        await shell.run(`DATABASE_URL='${owner}'\n${restored}\nunset DATABASE_URL`);
        await shell.run('DATABASE_URL="$RESTORED" sh latchkey migrate');
        expect(
          await shell.run('psql "$RESTORED" --command="select id from identity.user"'),
        ).toContain("0 rows");
      } finally {
        await shell.stop();
      }
    },
    pageMilliseconds,
  );
});

test("a block that is not run gives its reason, and names only what exists", async () => {
  const marked = blocksOf(({ language, mark }) => language === "sh" && mark !== undefined);
  for (const { document, line, mark = "" } of marked)
    if (!inContainers.test(mark)) expect(notRun, `${document}:${line}`).toContain(mark);
  const missing = await Promise.all(
    marked.map(async (block) =>
      (await findMissingNames(block)).map((name) => [block.document, name]),
    ),
  );
  expect(missing.flat()).toEqual([]);
});

test("every TypeScript example compiles, and every JSON example is valid", async () => {
  const examples = blocksOf(({ language }) => code.has(language));
  for (const { document, line, mark } of examples)
    if (mark !== undefined) expect(mark, `${document}:${line}`).toMatch(notChecked);
  expect(await typeCheckBlocks(examples.filter(({ mark }) => mark === undefined))).toBe("");
  for (const { text } of blocksOf(({ language }) => language === "json")) JSON.parse(text);
});

test("every link between documents has a target", async () => {
  const documents = await readDocuments(
    "*.md",
    "docs/**/*.md",
    "{libs,services,apps}/*/README.md",
    "infra/**/*.md",
  );
  const broken = await Promise.all(documents.map(findBrokenLinks));
  expect(broken.flat()).toEqual([]);
});

test("every page is in the table of the README", async () => {
  const [readme] = await readDocuments("README.md");
  const missing = (await readDocuments("docs/*.md")).filter(
    ({ path }) => !readme?.prose.includes(`](${path})`),
  );
  expect(missing.map(({ path }) => path)).toEqual([]);
});
