import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search-text.ts";

/** As the gateway does for redirects to its own origin. */
const accepted = /^\?[\w\-.+/=&%@]*$/;

test.each([
  "https://app.example.com/a*b?c=d&e=(f)#g",
  "/home?x='y'!~;,[1]|{2}",
  "https://app.example.com/\u00fc \t\n",
  "$&",
])("formats the address %j as the server accepts it, and parses it again", (redirect_to) => {
  const text = stringifySearch({ redirect_to });
  expect(text).toMatch(accepted);
  expect(parseSearch(text)).toEqual({ redirect_to });
});
