/** A PNG of one pixel, as base64. */
export const tinyPicture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Returns a WebP of one pixel and this length, as base64. Its contents do not decode. */
export const webpOf = (length: number, fill = 0): string => {
  const head = Buffer.from("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\0\0\0\0", "latin1");
  return Buffer.concat([head, Buffer.alloc(length - head.length, fill)]).toString("base64");
};
