import { expect, test } from "vitest";
import { changeOfClient, clientBody, type ClientForm, clientRules } from "./client-form.ts";

const form = (own: Partial<ClientForm> = {}): ClientForm => ({
  kind: "web",
  name: "Grafana",
  redirectUris: "https://app.example.com/callback",
  scopes: ["openid", "email"],
  machineScopes: "",
  isTrusted: false,
  ...own,
});

test("names what makes each kind of client, and leaves out what it does not have", () => {
  const forUsers = {
    client_name: "Grafana",
    redirect_uris: ["https://app.example.com/callback"],
    scope: "openid email",
    skip_consent: false,
  };
  expect(clientBody(form())).toEqual(forUsers);
  expect(clientBody(form({ kind: "browser" }))).toEqual({
    ...forUsers,
    token_endpoint_auth_method: "none",
  });
  expect(clientBody(form({ kind: "native", isTrusted: true }))).toEqual({
    ...forUsers,
    token_endpoint_auth_method: "none",
    application_type: "native",
  });
  expect(clientBody(form({ kind: "machine", machineScopes: " reports  stock " }))).toEqual({
    client_name: "Grafana",
    grant_types: ["client_credentials"],
    client_credentials_scopes: ["reports", "stock"],
  });
});

test("sends only what was changed", () => {
  expect(changeOfClient(form(), form())).toEqual({});
  expect(changeOfClient(form({ name: "Metrics", isTrusted: true }), form())).toEqual({
    client_name: "Metrics",
    skip_consent: true,
  });
});

test.each([
  [{ name: " " }, ["name"]],
  [{ redirectUris: "" }, ["redirectUris"]],
  [{ redirectUris: "https://a.example\nnowhere" }, ["redirectUris"]],
  [{ scopes: [] }, ["scopes"]],
  [{ kind: "machine", redirectUris: "", scopes: [] }, []],
] as const)("finds what is wrong with %j", (own, names) => {
  const { error } = clientRules.safeParse(form(own as Partial<ClientForm>));
  expect(error?.issues.map(({ path }) => path[0]) ?? []).toEqual(names);
});
