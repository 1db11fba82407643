/** Encodes a value of a query. Also encodes the punctuation at which mail programs end a link. */
export const encodeQueryValue = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
