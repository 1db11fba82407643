export interface CookieNames {
  prefix: string;
  /** Names that do not have the prefix. */
  names: readonly string[];
}

const securePrefix = "__Secure-";

/**
 * Returns the Cookie header with Latchkey's cookies alone, or undefined if there are none. Cookies of the application are not sent to
 * Latchkey, and a request without a session costs no call.
 */
export const ownCookies = (
  header: string | undefined,
  { prefix, names }: CookieNames,
): string | undefined => {
  const isOwn = (pair: string) => {
    const full = pair.slice(0, Math.max(pair.indexOf("="), 0));
    // A configured name may contain the prefix itself.
    const forms = full.startsWith(securePrefix) ? [full, full.slice(securePrefix.length)] : [full];
    return forms.some((name) => name.startsWith(`${prefix}.`) || names.includes(name));
  };
  const own = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter(isOwn);
  return own.length === 0 ? undefined : own.join("; ");
};
