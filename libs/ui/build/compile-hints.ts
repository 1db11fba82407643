import type { Plugin } from "vite";

/**
 * Tells the browser to compile all functions of a script while it arrives, on another thread (ADR 95). Otherwise the first render stops at
 * each function until it is compiled. Browsers that do not know it ignore the comment. It must be the first line.
 */
const hint = "//# allFunctionsCalledOnLoad\n";

/**
 * Writes the hint into the first script of the page, into those with the given names, and into those of screens. Name only scripts of which
 * a first visit calls most functions: compiling the others would take time from these.
 */
export const compileHints = (names: readonly string[]): Plugin => {
  const isCalled = ({ name, isEntry }: { name: string; isEntry: boolean }) =>
    isEntry || names.includes(name) || name.endsWith("-screen");
  return {
    name: "compile-hints",
    generateBundle: {
      // After the plugins of Vite, which also write to the beginning of scripts.
      order: "post",
      handler(_options, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === "chunk" && isCalled(output)) output.code = hint + output.code;
      },
    },
  };
};
