import { fullUserSchema } from "@latchkey/contracts";
import { initialOf } from "@latchkey/service-kit/database";
import { anonymousColumns, userColumns } from "../db/tables.ts";

/** The members of a shown user that have an initial value, while guests are off. */
export const unsetMembers: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(initialOf(userColumns)).filter(
    ([name]) => Object.hasOwn(fullUserSchema.shape, name) && !Object.hasOwn(anonymousColumns, name),
  ),
);
