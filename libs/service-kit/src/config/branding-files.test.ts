import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConfigurationError } from "./configuration-error.ts";
import { readSettings } from "./settings.ts";

const png = Buffer.from("89504e470d0a1a0a", "hex");
const files: Readonly<Record<string, string | Buffer>> = {
  "logo.svg": "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>",
  "logo.png": png,
  "page.svg": "<html></html>",
  "fake.png": "<svg/>",
  "fake.woff2": "OTTO",
  "large.png": Buffer.concat([png, Buffer.alloc(200_001)]),
  "good.css": '/* url(a) */ [data-part="card"] { fill: url(#a) }',
  "import.css": "@import 'other.css';",
  "url.css": "body { background: URL( 'https://example.com/a.png') }",
  "end.css": "</style><script>alert(1)</script>",
  "binary.css": Buffer.from([0xff, 0xfe, 0x00]),
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "latchkey-branding-"));
  await mkdir(join(folder, "folder.png"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true }));

const read = (branding: LatchkeyConfig["branding"], options: LatchkeyConfig = {}, more = {}) =>
  readSettings(
    { databaseUrl: "postgres://localhost/db", branding, ...options },
    { LATCHKEY_CONFIG: join(folder, "latchkey.config.json"), ...more },
  );

const problemsOf = (...input: Parameters<typeof read>): readonly string[] => {
  try {
    read(...input);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

test("reads files beside the configuration, each with the one type that its name says", () => {
  const { brandingFiles } = read({
    logo: { light: "./logo.svg", dark: "https://example.com/dark.svg" },
    favicon: join(folder, "logo.png"),
    css: "good.css",
  });
  const types = [...brandingFiles].map(([path, { contentType }]) => [path, contentType]);
  expect(types).toEqual([
    ["./logo.svg", "image/svg+xml"],
    [join(folder, "logo.png"), "image/png"],
    ["good.css", "text/css; charset=utf-8"],
  ]);
});

test("takes the branding as JSON from the environment, added to that of the file", () => {
  const environment = { BRANDING: '{"logo":"./logo.svg","radius":0}' };
  const { options, brandingFiles, given: sources } = read({ color: "#7c2d12" }, {}, environment);
  expect(options.branding).toMatchObject({ color: "#7c2d12", logo: "./logo.svg", radius: 0 });
  expect([...brandingFiles.keys()]).toEqual(["./logo.svg"]);
  expect(sources.environment).toEqual(["branding", "branding.logo", "branding.radius"]);
  expect(problemsOf({}, {}, { BRANDING: "{" })[0]).toContain("BRANDING: ");
});

/** Attack: a file that is not of its type, or a style sheet that ends the element that contains it. */
test.each<[LatchkeyConfig["branding"], string]>([
  [{ logo: "./none.svg" }, "branding.logo: ./none.svg cannot be read (ENOENT)"],
  [{ logo: "folder.png" }, "branding.logo: folder.png is not a regular file"],
  [{ logo: "large.png" }, "branding.logo: large.png is larger than 200 KB"],
  [{ logo: { light: "logo.svg", dark: "page.svg" } }, "branding.logo.dark: page.svg is no SVG"],
  [{ favicon: "fake.png" }, "branding.favicon: fake.png is no PNG file"],
  [{ background: { image: "fake.png" } }, "branding.background: fake.png is no PNG file"],
  [
    { font: { family: "Acme", file: "fake.woff2" } },
    "branding.font.file: fake.woff2 is no WOFF2 file",
  ],
  [{ css: "import.css" }, "branding.css: import.css must not use @import"],
  [{ css: "url.css" }, "branding.css: url.css must not load files with url()"],
  [{ css: "end.css" }, "branding.css: end.css must not contain </"],
  [{ css: "binary.css" }, "branding.css: binary.css is not text in UTF-8"],
])("refuses the files of %j", (branding, problem) => {
  expect(problemsOf(branding).join("\n")).toContain(problem);
});

test("an application with a look is one of appURL", () => {
  const shop = "https://shop.example.com";
  const branding = { applications: { [shop]: { radius: 2 } } };
  const appURL = "https://desk.example.com";
  expect(problemsOf(branding)).toEqual([
    `branding.applications.${shop}: must be one of appURL, which is not set (APP_URL)`,
  ]);
  expect(problemsOf(branding, { appURL })).toEqual([
    `branding.applications.${shop}: must be one of appURL: ${appURL}`,
  ]);
  expect(problemsOf(branding, { appURL: [appURL, shop] })).toEqual([]);
});

test("only a process with the gateway needs the files", () => {
  const tree = { databaseUrl: "postgres://localhost/db", branding: { logo: "./none.svg" } };
  expect(readSettings(tree, {}, ["mailer"]).brandingFiles.size).toBe(0);
  expect(() => readSettings(tree, {}, ["gateway"])).toThrow("branding.logo");
});
