/** Removes the quotes around a cookie's value, which are not part of the value. */
export const unquoted = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
