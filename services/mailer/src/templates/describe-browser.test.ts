import { expect, test } from "vitest";
import { describeBrowser } from "./security-notices.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15";
const android = "Mozilla/5.0 (Linux; Android 10; K)";

test.each([
  ["Edge", "Windows", `${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
  ["Opera", "Windows", `${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`],
  ["Chrome", "Android", `${android} ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`],
  ["Chrome", "iPhone", `${phone} (KHTML, like Gecko) CriOS/140.0.0.0 Safari/604.1`],
  ["Safari", "iPhone", `${phone} (KHTML, like Gecko) Version/18.5 Safari/604.1`],
  ["Firefox", undefined, "Firefox/140.0"],
  [undefined, undefined, "curl/8.14.1"],
  [undefined, undefined, ""],
])("names the browser %s on %s", (browser, system, userAgent) => {
  expect(describeBrowser(userAgent)).toEqual({ browser, system });
});
