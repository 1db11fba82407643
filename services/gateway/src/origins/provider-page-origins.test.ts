import { type Options, optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { providerPageOrigins } from "./provider-page-origins.ts";

const originsOf = (socialProviders: object) =>
  providerPageOrigins((optionsSchema.parse({ socialProviders }) satisfies Options).socialProviders);

const clientId = "a";
const byForm = { clientId, responseMode: "form_post" };
const authorization = "https://pages.example.net:8443/authorize?x=1";

test.each([
  ["no provider", {}, []],
  ["those of Apple", { apple: { clientId } }, ["https://appleid.apple.com"]],
  [
    "those of Apple at another address",
    { apple: { clientId, endpoints: { authorization } } },
    ["https://pages.example.net:8443"],
  ],
  [
    "those of a provider that answers by form",
    { own: { ...byForm, endpoints: { authorization }, issuer: "https://id.example.org/realm" } },
    ["https://pages.example.net:8443"],
  ],
  [
    "of its issuer where no other address is given",
    { own: { ...byForm, issuer: "https://id.example.org/realm" } },
    ["https://id.example.org"],
  ],
  ["of an instance of its own", { gitlab: byForm }, ["https://gitlab.com"]],
  ["of an authority", { microsoft: byForm }, ["https://login.microsoftonline.com"]],
  [
    "each once",
    { apple: { clientId }, b: { ...byForm, issuer: "https://appleid.apple.com/b" } },
    ["https://appleid.apple.com"],
  ],
])("pages that post to us are %s", (_case, providers, origins) => {
  expect(originsOf(providers)).toEqual(origins);
});

test.each([
  ["that is off", { apple: { clientId, enabled: false } }],
  ["that answers by query", { own: { clientId, issuer: "https://id.example.org" } }],
  ["of Apple that is set to answer by query", { apple: { clientId, responseMode: "query" } }],
  ["whose pages nobody told us", { google: byForm }],
])("a provider %s has none that we trust", (_case, providers) => {
  expect(originsOf(providers)).toEqual([]);
});
