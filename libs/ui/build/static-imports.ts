import type { Plugin } from "vite";

/**
 * Finds the modules that a module needs to run: its static imports, and theirs. Vite's groups of modules know only those of the page's
 * script. `has` answers once the modules are read, as groups ask.
 */
export const staticImports = (end: string): { plugin: Plugin; has(id: string): boolean } => {
  const modules = new Set<string>();
  return {
    has: (id) => modules.has(id),
    plugin: {
      name: "static-imports",
      buildEnd() {
        const add = (id: string): void => {
          if (modules.has(id)) return;
          modules.add(id);
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported);
        };
        for (const id of this.getModuleIds()) if (id.endsWith(end)) add(id);
      },
    },
  };
};
