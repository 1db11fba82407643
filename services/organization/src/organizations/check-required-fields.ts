import { WireError } from "@latchkey/contracts";

const required = ["name", "slug"];

/** Names the first field that a new organization lacks. */
export const checkRequiredFields = (sent: Readonly<Record<string, unknown>>): void => {
  const missing = required.find((field) => sent[field] === undefined);
  if (missing) throw new WireError("FIELD_IS_REQUIRED", { message: `${missing} is required` });
};
