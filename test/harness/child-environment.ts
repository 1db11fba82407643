/** The variables of our environment that every child process needs: the search path and the compile cache. */
export const childEnvironment = (): Record<string, string> => {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
};
