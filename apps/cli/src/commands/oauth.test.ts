import { expect, test } from "vitest";
import { readClientRequest } from "./oauth.ts";

const uri = "https://app.example.com/callback";
const read = (text: string) => readClientRequest(["--name", "Grafana", ...text.split(" ")]);

test("reads each type of client", () => {
  const forUsers = { client_name: "Grafana", redirect_uris: [uri] };
  expect(read(`--redirect-uri ${uri} --trusted`)).toEqual({ ...forUsers, skip_consent: true });
  expect(read(`--redirect-uri ${uri} --type native --scope openid`)).toEqual({
    ...forUsers,
    token_endpoint_auth_method: "none",
    application_type: "native",
    scope: "openid",
  });
  expect(read("--type machine --scope reports")).toEqual({
    client_name: "Grafana",
    grant_types: ["client_credentials"],
    client_credentials_scopes: ["reports"],
  });
});

test.each([
  ["--type web", "--redirect-uri is required"],
  [`--type website --redirect-uri ${uri}`, "--type must be"],
  ["--type machine", "needs a --scope"],
  [`--type machine --scope reports --redirect-uri ${uri}`, "takes no --redirect-uri"],
])("refuses %s", (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});
