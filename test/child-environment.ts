/** What every process that a test starts needs of our own environment: where programs are, and what was compiled before. */
export const childEnvironment = (): Record<string, string> => {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
};
