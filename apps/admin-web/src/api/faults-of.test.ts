import type { ErrorBody } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { faultsOf } from "./faults-of.ts";

const refused = (body: Partial<ErrorBody>) => new ApiError({ status: 400, body });
const names = ["name", "role"] as const;

describe("validation errors of the server", () => {
  test("appear at the fields that they name", () => {
    const issues = [
      { path: "role", message: "must be one or more of the configured roles" },
      { path: "elsewhere", message: "must be there" },
    ];
    expect(faultsOf(refused({ issues }), names)).toEqual({
      role: "This must be one or more of the configured roles.",
    });
  });

  test("appear at the field that their code is about", () => {
    const error = refused({ code: "NAME_IS_ODD", message: "The name is odd" });
    expect(faultsOf(error, names, { NAME_IS_ODD: "name" })).toEqual({ name: "The name is odd." });
  });

  test("appear at no field if they are about none", () => {
    const error = refused({ code: "constructor", message: "No" });
    expect(faultsOf(error, names, {})).toEqual({});
    expect(faultsOf(new Error("lost"), names)).toEqual({});
    expect(faultsOf(null, names)).toEqual({});
  });
});
