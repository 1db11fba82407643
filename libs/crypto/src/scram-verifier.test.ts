import { expect, test } from "vitest";
import { scramVerifier } from "./scram-verifier.ts";

const salt = Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64");

/** RFC 7677, section 3: the password "pencil". */
test("the keys equal those of the published example", () => {
  expect(scramVerifier("pencil", salt, 4096)).toBe(
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
  );
});

test.each([
  ["a\u00A0b", "a b"],
  ["a\u00ADb", "ab"],
  ["\uFB01", "fi"],
])("%j and %j are the same password", (one, other) => {
  expect(scramVerifier(one, salt, 4096)).toBe(scramVerifier(other, salt, 4096));
});

test("a different password, salt or number of iterations gives a different text", () => {
  const texts = [
    scramVerifier("pencil", salt, 4096),
    scramVerifier("Pencil", salt, 4096),
    scramVerifier("pencil", Buffer.alloc(16), 4096),
    scramVerifier("pencil", salt, 8192),
  ];
  expect(new Set(texts).size).toBe(4);
});
