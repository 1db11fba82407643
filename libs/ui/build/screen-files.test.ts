import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routeModule, routesIn } from "./screen-files.ts";

const folder = join(import.meta.dirname, "../../../apps/account-web/src");
const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => routeModule.test(`/${path}`))
  .map((path) => readFileSync(join(folder, path), "utf8"));
const router = readFileSync(join(folder, "routes/router.ts"), "utf8");

/** Returns the paths of the routes that the router lists between two texts. */
const pathsBetween = (start: string, end: string): string[] => {
  const [list = ""] = router.split(start)[1]?.split(end) ?? [];
  return (list.match(/\w+Route\b/g) ?? []).map((name) => {
    const declared = new RegExp(`const ${name} = createRoute\\(\\{[^]*?\\bpath: "([^"]*)"`);
    return modules.flatMap((code) => declared.exec(code)?.[1] ?? [])[0] ?? `no path of ${name}`;
  });
};

test.each([
  [true, pathsBetween("rootRoute.addChildren([", "signedInRoute.addChildren([")],
  [false, pathsBetween("signedInRoute.addChildren([", "]")],
])("the build marks each page of the account web as signed out: %s", (isSignedOut, paths) => {
  const marked = modules.flatMap(routesIn).filter((route) => route.isSignedOut === isSignedOut);
  expect(marked.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});
