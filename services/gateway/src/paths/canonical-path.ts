const wellFormed = /^\/(?:[!$&-;=@A-Z_a-z~]|%[0-9A-Fa-f]{2})*$/;
const ambiguous = /\/\/|\/\.{1,2}(?:\/|$)|%(?:2[ef]|5c|7f|[01][0-9a-f])/i;
const lateControls = /[\u0080-\u009f]/;
const unreserved = /[A-Za-z0-9_~-]/;

/**
 * Returns the canonical spelling of a request path, or undefined if no operation may answer it (404).
 *
 * Disabling, limiting and routing compare this text, so an operation must have only one spelling. Paths that another layer could read
 * differently are refused, and escapes of plain letters are decoded (RFC 3986, 6.2.2.2). Takes the request target without its query.
 */
export function canonicalPath(rawUrlPath: string): string | undefined {
  if (!wellFormed.test(rawUrlPath) || ambiguous.test(rawUrlPath)) return undefined;
  const path = rawUrlPath.includes("%") ? canonicalEscapes(rawUrlPath) : rawUrlPath;
  return path !== undefined && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function canonicalEscapes(path: string): string | undefined {
  const decoded = decode(path);
  if (decoded === undefined || lateControls.test(decoded)) return undefined;
  return path.replaceAll(/%../g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return unreserved.test(character) ? character : escape.toUpperCase();
  });
}

/** Returns undefined for bytes that are not UTF-8, including overlong forms of a dot or slash. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
