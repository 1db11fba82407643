type CborMap = ReadonlyMap<number | string, CborValue>;
export type CborValue = number | string | Uint8Array | CborMap;

/** Major types of RFC 8949, 3.1. */
const majors = { unsigned: 0, negative: 1, bytes: 2, text: 3, map: 5 };

const headOf = (major: number, argument: number): Buffer => {
  const first = major << 5;
  if (argument < 24) return Buffer.from([first | argument]);
  if (argument < 256) return Buffer.from([first | 24, argument]);
  return Buffer.from([first | 25, argument >> 8, argument & 255]);
};

/** Encodes what authenticators send: integers and lengths below 65536, texts, bytes and maps. */
export const encodeCbor = (value: CborValue): Buffer => {
  if (typeof value === "number")
    return value < 0 ? headOf(majors.negative, -1 - value) : headOf(majors.unsigned, value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([headOf(majors.text, text.length), text]);
  }
  if (value instanceof Uint8Array)
    return Buffer.concat([headOf(majors.bytes, value.length), value]);
  const members = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]);
  return Buffer.concat([headOf(majors.map, value.size), ...members]);
};
