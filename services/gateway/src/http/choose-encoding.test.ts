import { expect, test } from "vitest";
import { chooseEncoding, type Encoding } from "./choose-encoding.ts";

test.each<[header: string | undefined, chosen: Encoding | undefined]>([
  ["gzip, deflate, br, zstd", "br"],
  ["BR;q=0.1, gzip;q=1.0", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br; q=0.000, gzip;q=0", undefined],
  ["identity", undefined],
  ["brotli", undefined],
  ["*", undefined],
  ["", undefined],
  [undefined, undefined],
])("of both encodings, %j selects %j", (header, chosen) => {
  expect(chooseEncoding(header, () => true)).toBe(chosen);
});

test("an unavailable encoding is not selected", () => {
  expect(chooseEncoding("br, gzip", (encoding) => encoding === "gzip")).toBe("gzip");
  expect(chooseEncoding("br, gzip", () => false)).toBeUndefined();
});
