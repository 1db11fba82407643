import { WireError } from "@latchkey/contracts";

const required = ["name", "slug"];

/** Throws an error that names the first missing field of a new organization. */
export const checkRequiredFields = async (
  _deps: unknown,
  _caller: unknown,
  sent: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const missing = required.find((field) => sent[field] === undefined);
  if (missing) throw new WireError("FIELD_IS_REQUIRED", { message: `${missing} is required` });
};
