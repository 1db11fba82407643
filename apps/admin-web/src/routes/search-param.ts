import * as z from "zod/mini";

/** An optional search param of an address. It is dropped if it is invalid. */
export const searchParam = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);

/** A text of limited length. */
export const textParam = (max: number) => searchParam(z.string().check(z.maxLength(max)));
