import type { FastifyInstance } from "fastify";

/** Removes the quotes around a cookie's value, which are not part of the value. */
const unquoted = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;

/** Returns all values of the named cookie, in the order sent. */
export type CookieValues = (name: string) => readonly string[];

const isRepeated = (header: string, name: string): boolean => {
  const assigned = `${name}=`;
  return header.indexOf(assigned) !== header.lastIndexOf(assigned);
};

/**
 * Parses a `Cookie` header. Browsers send several values of one name if those cookies differ in Domain or Path, and do not say which is
 * which (RFC 6265, 5.4). The first one may be outdated, or of another site of the same domain.
 */
export const parseCookieValues = (
  app: FastifyInstance,
  header: string | undefined,
): CookieValues => {
  if (header === undefined) return () => [];
  const sent = app.parseCookie(header);
  return (name) => {
    const first = sent[name];
    if (first === undefined) return [];
    if (!isRepeated(header, name)) return [unquoted(first)];
    const values = header.split(";").map((pair) => app.parseCookie(pair)[name]);
    return values.filter((value) => value !== undefined).map(unquoted);
  };
};

/** Returns the results of a conversion, without undefined ones and repeated ones. */
export const convertEach = (
  values: readonly string[],
  convert: (value: string) => string | undefined,
): string[] => {
  const [first] = values;
  if (first === undefined) return [];
  const converted = values.map(convert).filter((result) => result !== undefined);
  return converted.length > 1 ? [...new Set(converted)] : converted;
};
