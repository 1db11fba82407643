import { catch as otherwise, type core, maxLength, optional, string } from "zod/mini";

/** An optional search param of an address. It is dropped if it is invalid. */
export const searchParam = <Schema extends core.$ZodType>(schema: Schema) =>
  otherwise(optional(schema), undefined);

/** A text of limited length. */
export const textParam = (max: number) => searchParam(string().check(maxLength(max)));
