import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useSearch } from "@tanstack/react-router";
import { facts } from "../../facts.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { rememberMethod } from "../../session/last-method.ts";
import { fieldValues } from "./field-values.ts";

export interface SignUpValues {
  name: string;
  email: string;
  username: string;
  password: string;
  fields: Record<string, string | boolean | undefined>;
}

/** The form fields to which errors of the server belong, by code. */
const fieldsByCode: Readonly<Record<string, "email" | "username" | "password">> = {
  INVALID_EMAIL: "email",
  USER_ALREADY_EXISTS: "email",
  USERNAME_IS_TOO_SHORT: "username",
  USERNAME_IS_TOO_LONG: "username",
  USERNAME_IS_INVALID: "username",
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: "username",
  PASSWORD_TOO_SHORT: "password",
  PASSWORD_TOO_LONG: "password",
};

/** Returns the form field that an error is about. Undefined if it is about none. */
export const faultyField = (error: unknown) =>
  error instanceof ApiError && error.code !== undefined && Object.hasOwn(fieldsByCode, error.code)
    ? fieldsByCode[error.code]
    : undefined;

interface SignUpUse {
  onSignedIn: () => Promise<void>;
  /** The email must be verified before the first sign-in. */
  onMailed: (email: string) => void;
}

/** Returns a mutation that creates an account. */
export const useSignUp = ({ onSignedIn, onMailed }: SignUpUse) => {
  const { redirect_to } = useSearch({ strict: false });
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async ({ name, email, username, password, fields }: SignUpValues) => {
      const { token } = await call(operations.identity.signUpEmail, {
        body: {
          ...fieldValues(facts.fields, fields),
          name: name.trim(),
          email: email.trim(),
          password,
          ...(username.trim() !== "" && { username: username.trim() }),
          callbackURL: outcomeAddress("/verify-email", { redirect_to }),
        },
      });
      rememberMethod("password");
      if (token === null) onMailed(email.trim());
      else await onSignedIn();
    },
  });
};
