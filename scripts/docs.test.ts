import { glob, readFile } from "node:fs/promises";
import {
  checkSettings,
  optionVariables,
  processVariables,
  readSecretFiles,
} from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { configurationReference, developmentVariables } from "./docs.ts";

const root = `${import.meta.dirname}/..`;
const sources = [
  "{apps,libs,services}/*/src/**/*.ts",
  "scripts/**/*.ts",
  "apps/*/*.ts",
  "libs/ui/build/*.ts",
  "test/browser/find-chromium.ts",
  "test/harness/configure-system.ts",
];

/** The expressions that read the environment in code. */
const readings = [
  /(?:process\.env|environment)\[["']([A-Z][A-Z0-9_]+)["']\]/g,
  /process\.env\.([A-Z][A-Z0-9_]+)/g,
];
const destructured = /\{([^{}]*)\} = process\.env/g;

const namesIn = (text: string): string[] => [
  ...readings.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name)),
  ...[...text.matchAll(destructured)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.split(/[:=]/)[0]?.trim() ?? ""),
  ),
];

/** Variables of the machine and its tools, not of Latchkey. */
const others = new Set([
  "",
  "DOCKER_HOST",
  "HOME",
  "NODE_COMPILE_CACHE",
  "PATH",
  "XDG_RUNTIME_DIR",
]);

/** OpenTelemetry defines these variables. The page on traces lists the supported ones. */
const isOfTraces = (name: string): boolean => name.startsWith("OTEL_");

const declared = new Set([
  ...optionVariables.map(({ name }) => name),
  ...optionVariables.filter(({ isSecret }) => isSecret).map(({ name }) => `${name}_FILE`),
  ...processVariables.map(({ name }) => name),
  ...developmentVariables.map(({ name }) => name),
]);

test("lists every variable that code reads", async () => {
  const read = new Set<string>();
  const environment = new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === "string") read.add(name);
        return undefined;
      },
    },
  );
  const { problems } = readSecretFiles(environment);
  expect(() => checkSettings({}, { texts: environment, problems })).toThrow("databaseUrl");
  for await (const file of glob(sources, { cwd: root }))
    if (!file.includes("node_modules") && !file.endsWith(".test.ts"))
      for (const name of namesIn(await readFile(`${root}/${file}`, "utf8"))) read.add(name);
  expect(
    [...read].filter((name) => !declared.has(name) && !others.has(name) && !isOfTraces(name)),
  ).toEqual([]);
  const ownNames = [...processVariables, ...developmentVariables].map(({ name }) => name);
  expect(ownNames.filter((name) => !read.has(name))).toEqual([]);
});

test("describes each variable", () => {
  const page = configurationReference();
  for (const name of declared) expect(page).toMatch(new RegExp(`^\\|.*\`${name}\``, "m"));
  expect(page).toContain(
    "| `AUTH_SECRET`, `AUTH_SECRET_FILE` | `secret` |  | Secrets. The first one signs and encrypts, all of them verify and decrypt. (separated by commas) |",
  );
  expect(page).toContain(
    "| `IDENTITY_DATABASE_URL`, `IDENTITY_DATABASE_URL_FILE` | `databases.identity.url` |",
  );
  expect(page).toContain(
    "| `APIKEY_PORT` |  | `3003`, or `PORT` + 3 | Port of apikey, for other services. |",
  );
});
