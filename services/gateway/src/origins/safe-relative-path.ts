const safeRelativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i;

/**
 * Returns whether the value is a path that every browser resolves against our own origin. Deliberately narrow: no fragment, no escape in
 * the path part, at most one query, ASCII only. A path that begins with two slashes once its dot segments are resolved is refused: a page
 * that reads it from the location could follow it to another host.
 */
export function isSafeRelativePath(value: string): boolean {
  if (!safeRelativePath.test(value)) return false;
  const { pathname } = new URL(value, "http://localhost");
  return !pathname.startsWith("//");
}
