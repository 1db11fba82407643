import type { ErrorBody } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { faultsOf } from "./faults-of.ts";

const refused = (body: Partial<ErrorBody>) => new ApiError({ status: 400, body });
const names = ["name", "role"] as const;

describe("what the server finds wrong with a form", () => {
  test("is told at the fields that it names", () => {
    const issues = [
      { path: "role", message: "must be one or more of the configured roles" },
      { path: "elsewhere", message: "must be there" },
    ];
    expect(faultsOf(refused({ issues }), names)).toEqual({
      role: "This must be one or more of the configured roles.",
    });
  });

  test("is told at the field that its code is about", () => {
    const error = refused({ code: "NAME_IS_ODD", message: "The name is odd" });
    expect(faultsOf(error, names, { NAME_IS_ODD: "name" })).toEqual({ name: "The name is odd." });
  });

  test("is told at no field where it is about none", () => {
    const error = refused({ code: "constructor", message: "No" });
    expect(faultsOf(error, names, {})).toEqual({});
    expect(faultsOf(new Error("lost"), names)).toEqual({});
    expect(faultsOf(null, names)).toEqual({});
  });
});
