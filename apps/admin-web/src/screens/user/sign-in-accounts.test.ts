import { expect, test } from "vitest";
import { signInAccounts } from "./sign-in-accounts.ts";

const account = (providerId: string) => ({
  id: providerId,
  providerId,
  accountId: "1",
  createdAt: "",
  updatedAt: "",
  scopes: [],
});

test("leaves out a password account without a password", () => {
  const accounts = [account("credential"), account("github")];
  expect(signInAccounts({ accounts, hasPassword: true })).toEqual(accounts);
  expect(signInAccounts({ accounts, hasPassword: false })).toEqual(accounts.slice(1));
});
