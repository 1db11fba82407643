const trimmed = (path: string) => path.replace(/\/+$/, "");

/** The path below which operations live: that of the base URL where it has one, else the configured one. */
export const basePathOf = (options: { baseURL?: string | undefined; basePath: string }): string => {
  const path = options.baseURL ? trimmed(new URL(options.baseURL).pathname) : "";
  return path || trimmed(options.basePath);
};
