import type { ErrorBody } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { faultsOf } from "./faults-of.ts";

const refused = (body: Partial<ErrorBody>) => new ApiError({ status: 400, body });
const names = ["name", "roles", "newPassword"] as const;
const issueText = (issue: string) => `This ${issue}.`;
const explain = () => ({ message: "It was refused.", advice: "Try again." });

describe("errors of the server", () => {
  test("appear at the fields that their issues name", () => {
    const issues = [
      { path: "role.0", message: "must be one of the configured roles" },
      { path: "elsewhere", message: "must be there" },
    ];
    expect(
      faultsOf(refused({ issues }), { names, fieldOf: { role: "roles" }, explain, issueText }),
    ).toEqual({
      roles: "This must be one of the configured roles.",
    });
  });

  test("appear in the language of the page, if it is not that of the server", () => {
    const issues = [{ path: "name", message: "must be there" }];
    const translated = () => ({ message: "Prüfen Sie Ihre Eingabe." });
    expect(faultsOf(refused({ issues }), { names, explain: translated })).toEqual({
      name: "Prüfen Sie Ihre Eingabe.",
    });
  });

  test("appear at the field that their code is about", () => {
    const error = refused({ code: "NAME_IS_ODD", message: "The name is odd" });
    expect(faultsOf(error, { names, fieldOf: { NAME_IS_ODD: "name" }, explain })).toEqual({
      name: "It was refused.",
    });
    expect(faultsOf(refused({ code: "PASSWORD_TOO_SHORT" }), { names, explain })).toEqual({
      newPassword: "It was refused.",
    });
  });

  test("appear at no field if they are about none", () => {
    const error = refused({ code: "constructor", message: "No" });
    expect(faultsOf(error, { names, explain })).toEqual({});
    expect(faultsOf(refused({ code: "INVALID_EMAIL" }), { names, explain })).toEqual({});
    const elsewhere = {
      names: ["name", "title"].slice(0, 1),
      fieldOf: { NAME_IS_ODD: "title" },
      explain,
    };
    expect(faultsOf(refused({ code: "NAME_IS_ODD" }), elsewhere)).toEqual({});
    expect(faultsOf(new Error("lost"), { names, explain })).toEqual({});
    expect(faultsOf(null, { names, explain })).toEqual({});
  });
});
