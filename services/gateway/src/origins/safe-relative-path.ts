const safeRelativePath = /^\/(?!\/|\\|%2f|%5c)[\w\-.+/@]*(?:\?[\w\-.+/=&%@]*)?$/i;

/**
 * A path that every browser resolves against our own origin. Deliberately narrow: no fragment, no escape in the path
 * part, one query at most, ASCII only.
 */
export function isSafeRelativePath(value: string): boolean {
  return safeRelativePath.test(value);
}
