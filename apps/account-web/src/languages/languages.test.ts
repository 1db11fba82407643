import { expect, test } from "vitest";
import { chooseLanguage, directionOf } from "./languages.ts";

test.each([
  [["de-AT", "en"], "de"],
  [["nl", "pt-BR", "en"], "pt"],
  [["zh-CN"], "zh-Hans"],
  [["zh_TW"], "zh-Hans"],
  [["AR-eg"], "ar"],
  [["nl"], "en"],
  [[""], "en"],
  [[], "en"],
])("chooses for %j the language %s", (tags, language) => {
  expect(chooseLanguage(tags)).toBe(language);
});

test("prefers the stored choice to the browser's setting", () => {
  expect(chooseLanguage(["fr", "de"])).toBe("fr");
  expect(chooseLanguage([null, "de"])).toBe("de");
});

test("knows which languages are written from right to left", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(directionOf("ja")).toBe("ltr");
});
