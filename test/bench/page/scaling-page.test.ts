import { expect, test } from "vitest";
import { measuredFixture } from "./measured.fixture.ts";
import { writeScalingTable } from "./scaling-page.ts";

const page = (table: string) =>
  `# Scaling\n\n<!-- measured: npm run bench -- --only scaling --write -->\n\n${table}\n\n<!-- end of measured -->\n\nBy hand.\n`;

const written = (results: typeof measuredFixture) => writeScalingTable(page("anything"), results);

test("replaces the table and keeps the rest of the page", () => {
  const results = measuredFixture.map((row) => ({ ...row, name: "scaling" }));
  const text = written(results);
  expect(text).toContain("| GET /get-session, redis: throughput | 5000/s | 10000/s | 0.50 |");
  expect(text).not.toContain("anything");
  expect(text).toMatch(/^# Scaling\n/);
  expect(text).toMatch(/\n\nBy hand\.\n$/);
  expect(writeScalingTable(text, results)).toBe(text);
});

test("leaves out other rows", () => {
  expect(written(measuredFixture)).not.toContain("get-session");
});

test("names the lines that a page without them needs", () => {
  expect(() => writeScalingTable("# Scaling\n", [])).toThrow("needs the lines <!-- measured");
});
