import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64url } from "./decode-base64url.ts";

test("all bytes survive a round trip", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString("base64url");
      expect(decodeBase64url(text)).toEqual(Buffer.from(bytes));
    }),
  );
});

test.each(["YQ==", "YR", "Y", "Y Q", "YWI\n", "+/+/", "é"])(
  "rejects the alternative spelling %j",
  (text) => {
    expect(decodeBase64url(text)).toBeUndefined();
  },
);
