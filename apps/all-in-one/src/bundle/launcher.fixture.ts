// The launcher is old JavaScript without types.
const launcher = new URL("../../../cli/bin/bundled-program.js", import.meta.url).href;

export const { bundledProgram } = (await import(launcher)) as {
  bundledProgram: (root: string, program: string) => string | undefined;
};
