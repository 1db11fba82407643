import { fullUserSchema } from "@latchkey/contracts";
import { initialOf } from "@latchkey/service-kit/database";
import { anonymousColumns, phoneNumberColumns, userColumns } from "../db/tables.ts";

const hidden = { ...anonymousColumns, ...phoneNumberColumns };

/** The members of a shown user that have an initial value, while guests and phone numbers are off. */
export const unsetMembers: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(initialOf(userColumns)).filter(
    ([name]) => Object.hasOwn(fullUserSchema.shape, name) && !Object.hasOwn(hidden, name),
  ),
);
