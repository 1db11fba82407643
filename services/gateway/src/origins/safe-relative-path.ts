const safeRelativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i;

/**
 * Returns whether the value is a path that every browser resolves against our own origin. Deliberately narrow: no fragment, no escape in
 * the
 * path part, at most one query, ASCII only.
 */
export function isSafeRelativePath(value: string): boolean {
  return safeRelativePath.test(value);
}
