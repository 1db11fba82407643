import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

/** Bundles an application that imports names of the library. Returns the code without React. */
const bundle = async (names: string): Promise<string> => {
  const entry = "\0application";
  const index = join(import.meta.dirname, "index.ts");
  const built = await rolldown({
    input: entry,
    external: /^react(?:\/|$)/,
    // The bundle of one page has no use for "use client".
    onLog: (level, log, report) => {
      if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
    },
    plugins: [
      {
        name: "application",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export { ${names} } from ${JSON.stringify(index)};` : null),
      },
    ],
  });
  const { output } = await built.generate({ format: "es", minify: true });
  await built.close();
  return output[0].code;
};

const parts = {
  organizations: "/organization/list",
  provider: "/get-session",
  "user button": "latchkey-user-button",
  "sign-in button": "latchkey-sign-in-button",
  panels: "aria-expanded",
};

test.each([
  ["useUser", []],
  ["useSession, SignedIn, SignedOut", []],
  ["useOrganization", ["organizations"]],
  ["LatchkeyProvider, useUser", ["provider"]],
  ["SignInButton", ["sign-in button"]],
  ["UserButton", ["user button", "panels"]],
] as const)("an application with %s has only what they need", async (names, expected) => {
  const code = await bundle(names);
  const included = Object.entries(parts).filter(([, text]) => code.includes(text));
  expect(included.map(([name]) => name).toSorted()).toEqual([...expected].toSorted());
});

test("one hook takes less than a tenth of the library", async () => {
  const everything =
    "LatchkeyError, LatchkeyProvider, OrganizationSwitcher, SignInButton, SignedIn, SignedOut, UserButton, useOrganization, useSession, useUser";
  const [hook, all] = await Promise.all([bundle("useUser"), bundle(everything)]);
  expect(hook.length).toBeLessThan(all.length / 10);
});
