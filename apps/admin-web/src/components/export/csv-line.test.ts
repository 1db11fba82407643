import { expect, test } from "vitest";
import { csvLine, type CsvValue } from "./csv-line.ts";

test.each<[CsvValue, string]>([
  ["Ada", "Ada"],
  ["Lovelace, Ada", '"Lovelace, Ada"'],
  ['Ada "Countess"', '"Ada ""Countess"""'],
  ["a\nb", '"a\nb"'],
  ["王伟", "王伟"],
  ["a;b - c=d", "a;b - c=d"],
  ["", ""],
  [null, ""],
  [undefined, ""],
  [0, "0"],
  [-5, "-5"],
  [true, "true"],
])("writes %j as %s", (value, text) => {
  expect(csvLine([value])).toBe(`${text}\r\n`);
});

/** Attack: a user's name runs a command in the spreadsheet of the admin who opens the file. */
test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t'=1"],
  ["\tx", "'\tx"],
  ["\r=1", "\"'\r'=1\""],
  ["\n=1", "\"'\n'=1\""],
  ["Ada;=1+1", "Ada;'=1+1"],
  ["Ada\t+1;-1;@SUM(A1)", "Ada\t'+1;'-1;'@SUM(A1)"],
  ['Ada;"=1+1', '"Ada;""\'=1+1"'],
  ["Ada;;=1", "Ada;;'=1"],
  ["Ada\n=1", '"Ada\n\'=1"'],
  ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
])("writes the formula %j as the text %s", (value, text) => {
  expect(csvLine([value])).toBe(`${text}\r\n`);
});

test("separates fields by commas", () => {
  expect(csvLine(["a", 1, null, "b,c"])).toBe('a,1,,"b,c"\r\n');
});
