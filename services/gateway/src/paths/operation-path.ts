/**
 * The path as operations name it, always starting with `/`; undefined when the request lies outside the base path.
 * Expects a canonical path. The base counts only as the leading whole segments, so neither `/x/api/auth/ok` nor
 * `/api/authority` reaches an operation.
 */
export function stripBasePath(path: string, basePath: string): string | undefined {
  const base = basePath.endsWith("/") ? basePath.slice(0, -1) : basePath;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
