/** The type and the size of a picture in pixels. */
interface PictureHeader {
  contentType: string;
  width: number;
  height: number;
}

const isAt = (bytes: Buffer, start: number, text: string): boolean =>
  bytes.subarray(start, start + text.length).equals(Buffer.from(text, "latin1"));

type Size = Omit<PictureHeader, "contentType">;

/** PNG, 11.2.2: IHDR is the first chunk. */
const sizeOfPng = (bytes: Buffer): Size | undefined =>
  isAt(bytes, 8, "\0\0\0\rIHDR")
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined;

/** RFC 9649. An extended file gives the size of the canvas, which its frames may not exceed. */
const sizeOfWebp = (bytes: Buffer): Size | undefined => {
  if (isAt(bytes, 12, "VP8X"))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (isAt(bytes, 12, "VP8L") && isAt(bytes, 20, "\x2f")) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!isAt(bytes, 12, "VP8 ") || !isAt(bytes, 23, "\x9d\x01\x2a")) return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
};

/** The markers SOF0 to SOF15. Three of this range have other meanings. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The markers of application data, comments and tables, which may precede the frame. */
const precedesFrame = (marker: number): boolean =>
  [0xc4, 0xcc, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);

/** ITU-T T.81, B.2. Anything but a segment before the frame is refused, because decoders differ in how they skip it. */
const sizeOfJpeg = (bytes: Buffer): Size | undefined => {
  let start = 2;
  while (bytes[start] === 0xff) {
    const marker = bytes.readUInt8(start + 1);
    if (startsFrame(marker))
      return { height: bytes.readUInt16BE(start + 5), width: bytes.readUInt16BE(start + 7) };
    if (!precedesFrame(marker)) return undefined;
    start += 2 + bytes.readUInt16BE(start + 2);
  }
  return undefined;
};

/** The supported types by their first bytes. An SVG, which may hold scripts, is none of them. */
const types: readonly [
  contentType: string,
  isOf: (bytes: Buffer) => boolean,
  sizeOf: (bytes: Buffer) => Size | undefined,
][] = [
  ["image/webp", (bytes) => isAt(bytes, 0, "RIFF") && isAt(bytes, 8, "WEBP"), sizeOfWebp],
  ["image/png", (bytes) => isAt(bytes, 0, "\x89PNG\r\n\x1a\n"), sizeOfPng],
  ["image/jpeg", (bytes) => isAt(bytes, 0, "\xff\xd8\xff"), sizeOfJpeg],
];

/** Reads the header of a picture without decoding it. Returns undefined for other types and for a file without a readable size. */
export const readPictureHeader = (bytes: Buffer): PictureHeader | undefined => {
  const [contentType, , sizeOf] = types.find(([, isOf]) => isOf(bytes)) ?? [];
  if (contentType === undefined || !sizeOf) return undefined;
  try {
    const size = sizeOf(bytes);
    return size && size.width > 0 && size.height > 0 ? { contentType, ...size } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the file ends within its header
    throw error;
  }
};
