import type { Plugin } from "vite";

/** The gateway reads the files of each screen from it. */
const fileName = "screens.json";

/** The modules that declare routes. */
const routeModule = /(?:-route\.ts|\/routes\/router\.tsx?)$/;
/** A route's path, with the screen that it imports next. */
const routeParts = /\bpath: "([^"]*)"[^]*?\bimport\("\.+(\/[^"]+)"\)/g;

/**
 * Writes the scripts that each screen needs beyond those of the page, by the path of its route such as `/users/$userId`. The gateway lets
 * the page load them at once. Without that, a browser would learn their names from the first script only. A route declares its path, then
 * imports its screen, in a module named `*-route.ts` or in the router.
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
    const screens: Record<string, string[]> = {};
    for (const id of this.getModuleIds()) {
      if (!routeModule.test(id)) continue;
      const { code, dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
      for (const [, path = "", imported = ""] of (code ?? "").matchAll(routeParts)) {
        const screenId = dynamicallyImportedIds.find((one) => one.endsWith(imported));
        const screen = chunks.find(({ moduleIds }) => moduleIds.some((one) => one === screenId));
        if (screen) screens[path] = [...withImports(screen.fileName)];
      }
    }
    this.emitFile({ type: "asset", fileName, source: JSON.stringify(screens) });
  },
});
