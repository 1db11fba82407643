import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DocumentedSystem,
  documentedPassword,
  startDocumentedSystem,
} from "../documents/documented-system.ts";
import { isRun, pageMilliseconds, readDocuments, runPage } from "../documents/run-page.ts";
import { createBrowserLike } from "../harness/browser-like.ts";

const pages = await readDocuments("README.md", "docs/*.md");
const runnable = pages.filter(({ blocks }) => blocks.some(isRun));
/**
 * Run before the others, one after the other: others continue from the README's result, and a backup is consistent only while
 * nothing is written.
 */
const inTurn = new Set(["README.md", "docs/operations.md"]);
const [first = [], others = []] = [true, false].map((isFirst) =>
  runnable
    .filter(({ path }) => inTurn.has(path) === isFirst)
    .map((page) => [page.path, page] as const),
);

let system: DocumentedSystem;
beforeAll(async () => {
  system = await startDocumentedSystem();
});
afterAll(() => system?.stop());

describe("the commands of the documentation work as written", () => {
  test.each(first)("%s", (_path, page) => runPage(system, page), pageMilliseconds);

  test.concurrent.each(others)("%s", (_path, page) => runPage(system, page), pageMilliseconds);

  test("users can sign in to what was restored as described", async () => {
    const restored = await system.runOn("latchkey_restored");
    try {
      const browser = createBrowserLike(restored.base);
      const email = "ada@example.com";
      const signedIn = await browser.post("/sign-in/email", {
        email,
        password: documentedPassword,
      });
      expect(signedIn.status).toBe(200);
      expect(await (await browser.get("/get-session")).json()).toMatchObject({ user: { email } });
    } finally {
      await restored.stop();
    }
  });
});
