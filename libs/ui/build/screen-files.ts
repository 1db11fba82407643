import type { Plugin } from "vite";

/** The gateway reads the files of each screen from it. */
const fileName = "screens.json";

/** The modules that declare routes. */
export const routeModule = /(?:-routes?\.ts|\/routes\/router\.tsx?)$/;

const routeParts =
  /\bgetParentRoute: \(\) => (\w+),\s*path: "([^"]*)"[^]*?\bimport\("\.+(\/[^"]+)"\)/g;

/** A route as its module declares it: the parent, then the path, then the import of its screen. */
interface DeclaredRoute {
  path: string;
  /** Whether its page is for signed-out users too: those of all others share the frame of a parent route. */
  isSignedOut: boolean;
  /** The end of the path of its screen. */
  screen: string;
}

/** Returns the routes that a module declares. */
export const routesIn = (code: string): DeclaredRoute[] =>
  [...code.matchAll(routeParts)].map(([, parent, path = "", screen = ""]) => ({
    path,
    isSignedOut: parent === "rootRoute",
    screen,
  }));

/**
 * Writes the scripts that each screen needs beyond those of the page, by the path of its route such as `/users/$userId`, and whether it is
 * for signed-out users. The gateway lets the page load the scripts at once. Without that, a browser would learn their names from the first
 * script only. Routes are in modules named `*-route.ts` or `*-routes.ts`, or in the router.
 */
export const screenFiles = (): Plugin => ({
  name: "screen-files",
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const withImports = (name: string, found = new Set<string>()): Set<string> => {
      const chunk = byName.get(name);
      if (!chunk || chunk.isEntry || found.has(name)) return found;
      found.add(name);
      for (const imported of chunk.imports) withImports(imported, found);
      return found;
    };
    const screens: Record<string, { scripts: string[]; isSignedOut: boolean }> = {};
    for (const id of this.getModuleIds()) {
      if (!routeModule.test(id)) continue;
      const { code, dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
      for (const { path, isSignedOut, screen } of routesIn(code ?? "")) {
        const screenId = dynamicallyImportedIds.find((one) => one.endsWith(screen));
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((one) => one === screenId));
        if (chunk) screens[path] = { scripts: [...withImports(chunk.fileName)], isSignedOut };
      }
    }
    this.emitFile({ type: "asset", fileName, source: JSON.stringify(screens) });
  },
});
