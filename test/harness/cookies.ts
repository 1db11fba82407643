/** Stores the cookies of `Set-Cookie` lines as a browser does. One that has expired is deleted. */
export const storeCookies = (jar: Map<string, string>, lines: readonly string[]): void => {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const hasExpired = attributes.some((attribute) => attribute.trim() === "Max-Age=0");
    if (hasExpired) jar.delete(name);
    else jar.set(name, value);
  }
};

/** Returns the `Cookie` header of a browser, empty without cookies. */
export const cookieHeader = (jar: ReadonlyMap<string, string>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
