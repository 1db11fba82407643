/** A PNG of one pixel, as base64. */
export const tinyPicture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Returns contents of this length that begin as a WebP does, as base64. */
export const webpOf = (length: number, fill = 0): string => {
  const head = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");
  return Buffer.concat([head, Buffer.alloc(length - head.length, fill)]).toString("base64");
};
