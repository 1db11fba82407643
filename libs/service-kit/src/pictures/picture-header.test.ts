import { expect, test } from "vitest";
import { readPictureHeader } from "./picture-header.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const png = "\x89PNG\r\n\x1a\n";
const riff = "RIFF\0\0\0\0WEBP";
const comment = "\xff\xfe\0\x04hi";

test.each([
  ["image/png", `${png}\0\0\0\rIHDR\0\0\x04\0\0\0\x02\0`, 1024, 512],
  ["image/webp", `${riff}VP8 \0\0\0\0\x30\x01\0\x9d\x01\x2a\0\x44\0\x82`, 1024, 512],
  ["image/webp", `${riff}VP8L\0\0\0\0\x2f\xff\xc3\x7f\0`, 1024, 512],
  ["image/webp", `${riff}VP8X\x0a\0\0\0\x10\0\0\0\xff\x03\x01\xff\x01\0`, 66_560, 512],
  ["image/jpeg", "\xff\xd8\xff\xc0\0\x0b\x08\x02\0\x04\0", 1024, 512],
  ["image/jpeg", `\xff\xd8${comment}${comment}\xff\xc2\0\x0b\x08\x02\0\x04\0`, 1024, 512],
  // Attack: a comment that contains a small frame hides the real one.
  [
    "image/jpeg",
    "\xff\xd8\xff\xfe\0\x0b\xff\xc0\0\x0b\x08\0\x01\0\x01\xff\xc0\0\x0b\x08\xff\xff\xff\xff",
    65_535,
    65_535,
  ],
])("reads the size of an %s %j", (contentType, text, width, height) => {
  expect(readPictureHeader(latin(text))).toEqual({ contentType, width, height });
});

test.each([
  ["nothing", ""],
  ["another type", "GIF89a\x01\0\x01\0"],
  ["a PNG that ends early", `${png}\0\0\0\rIHDR\0\0\x04\0`],
  ["a PNG that begins with another chunk", `${png}\0\0\0\x01tEXt-\0\0\0\0\0\0\0\rIHDR`],
  ["a PNG without width", `${png}\0\0\0\rIHDR\0\0\0\0\0\0\x02\0`],
  ["a WebP of another chunk", `${riff}ALPH${"\0".repeat(20)}`],
  ["a WebP that is no key frame", `${riff}VP8 ${"\0".repeat(20)}`],
  ["a WebP that ends early", `${riff}VP8X\x0a\0\0\0\x10\0`],
  ["a JPEG whose height follows later", "\xff\xd8\xff\xc0\0\x0b\x08\0\0\x04\0"],
  ["a JPEG without a frame", `\xff\xd8${comment}`],
  ["a JPEG whose scan precedes the frame", "\xff\xd8\xff\xda\0\x02\xff\xc0\0\x0b\x08\x02\0\x04\0"],
  // Decoders skip these bytes, and may find another frame.
  ["a JPEG with bytes between the segments", `\xff\xd8${comment}x\xff\xc0\0\x0b\x08\x02\0\x04\0`],
  ["a JPEG with fill bytes", "\xff\xd8\xff\xff\xc0\0\x0b\x08\x02\0\x04\0"],
  ["a JPEG with a segment of no length", `\xff\xd8\xff\xfe\0\0${comment}`],
])("refuses %s", (_case, text) => {
  expect(readPictureHeader(latin(text))).toBeUndefined();
});
