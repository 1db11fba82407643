const trimmed = (path: string) => path.replace(/\/+$/, "");

/** Returns the path prefix of operations: the base URL's path if it has one, else the configured path. */
export const basePathOf = (options: { baseURL?: string | undefined; basePath: string }): string => {
  const path = options.baseURL ? trimmed(new URL(options.baseURL).pathname) : "";
  return path || trimmed(options.basePath);
};
