/** A cookie's value without quotes around it, which are the cookie's and not the value's. */
export const unquoted = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
