/**
 * Returns the path of an operation, always starting with `/`. Returns undefined if the request is outside the base path. Expects a
 * canonical
 * path. The base path must match whole leading segments, so neither `/x/api/auth/ok` nor `/api/authority` reaches an operation.
 */
export function stripBasePath(path: string, basePath: string): string | undefined {
  const base = basePath.endsWith("/") ? basePath.slice(0, -1) : basePath;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
