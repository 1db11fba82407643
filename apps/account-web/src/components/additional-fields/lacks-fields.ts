import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { facts } from "../../facts.ts";

/** Returns whether a code of the server says that a new user lacks an additional field. */
export const isMissingFieldCode = (code: string | undefined): boolean =>
  /_is_required$/i.test(code ?? "") && facts.fields.some(({ required }) => required);

/** Returns whether a sign-up was refused because an additional field is missing. */
export const lacksFields = (error: unknown): boolean =>
  error instanceof ApiError && isMissingFieldCode(error.code);
