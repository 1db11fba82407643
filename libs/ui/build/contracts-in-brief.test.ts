import { expect, test } from "vitest";
import { contractsInBrief } from "./contracts-in-brief.ts";

const identityOf = (web: "account" | "admin") => contractsInBrief(web).operations["identity"] ?? {};

test("the account web gets the operations that its sources name", () => {
  expect(identityOf("account")).toHaveProperty("signInEmail", {
    method: "POST",
    path: "/sign-in/email",
    access: "anyone",
  });
  expect(identityOf("account")).not.toHaveProperty("adminListUsers");
});

test("the admin web gets all public operations, and no internal ones", () => {
  expect(identityOf("admin")).toHaveProperty("adminListUsers.permission.action", "list");
  expect(identityOf("admin")).toHaveProperty("signInEmail");
  expect(contractsInBrief("admin").operations["organization"]).not.toHaveProperty(
    "authorizeMember",
  );
});
